extension ServerSettings {
    /// Links to this server that open apps or the page (docs/web.md#invite-links).
    package struct Links: Sendable, Hashable {
        /// The public origin of the server, as `scheme://host[:port]` in lower case; nil: links show no preview.
        package var base: String?
        /// The apps for iOS that open links, as `TEAM.bundle`.
        package var appleApps: [String] = []
        /// The apps for Android that open links, as `package/FINGERPRINT` of the signing certificate.
        package var androidApps: [String] = []
    }

    static let linkSettings: [Setting] = [
        Setting(
            "links.base",
            \.links.base,
            .origin,
            "Public origin of this server; none: invite links open the page without a preview in messengers."
        ),
        Setting("links.apple-apps", \.links.appleApps, .appleApps, "Apps for iOS that open invite links."),
        Setting("links.android-apps", \.links.androidApps, .androidApps, "Apps for Android that open invite links."),
    ]
}

extension SettingForm where Value == String? {
    /// One web origin, or `none` for nil.
    fileprivate static var origin: Self {
        Self(
            kind: "optional origin",
            allowed: "none, or an origin such as https://meet.example",
            parse: { text in
                if text == "none" { return .some(nil) }
                guard let origins = OriginText.parse(text), origins.count == 1 else { return nil }
                return .some(origins[0])
            },
            format: { $0 ?? "none" }
        )
    }
}

extension SettingForm where Value == [String] {
    /// Ids of apps with their team (Apple's application identifiers), separated by commas.
    fileprivate static var appleApps: Self {
        list("list of apps", of: "apps such as A1B2C3D4E5.example.meet", where: AppName.isApple)
    }

    /// Packages of apps with the SHA-256 fingerprints of their certificates, separated by commas.
    fileprivate static var androidApps: Self {
        list(
            "list of apps",
            of: "apps such as example.meet/AB:CD:…, with the 32 bytes of the certificate's SHA-256",
            where: AppName.isAndroid
        )
    }

    private static func list(
        _ kind: String,
        of items: String,
        where isValid: @escaping @Sendable (String) -> Bool
    ) -> Self {
        Self(
            kind: kind,
            allowed: items + ", without duplicates",
            separator: ",",
            parse: { text in
                let items = ListText.items(text)
                return items.allSatisfy(isValid) && Set(items).count == items.count ? items : nil
            },
            format: { $0.joined(separator: ",") }
        )
    }
}

/// The names of apps in `links.apple-apps` and `links.android-apps`.
private enum AppName {
    /// `true` for a team of ten letters and digits, a dot, and a bundle id.
    @Sendable static func isApple(_ text: String) -> Bool {
        guard let dot = text.firstIndex(of: ".") else { return false }
        let (team, bundle) = (text[..<dot], text[text.index(after: dot)...])
        return team.utf8.count == 10 && team.utf8.allSatisfy(isLetterOrDigit) && isName(bundle, extra: "-")
    }

    /// `true` for a package, a slash, and 32 bytes in hexadecimal with colons.
    @Sendable static func isAndroid(_ text: String) -> Bool {
        guard let slash = text.firstIndex(of: "/"), isName(text[..<slash], extra: "_") else { return false }
        let bytes = text[text.index(after: slash)...].split(separator: ":", omittingEmptySubsequences: false)
        return bytes.count == 32 && bytes.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    }

    /// `true` for parts of letters, digits and `extra` between dots.
    private static func isName(_ text: Substring, extra: Character) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 && text.utf8.count <= 255
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0 == extra || $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
    }
}
