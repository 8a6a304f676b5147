import PromisedDomain

/// The form of values of one kind: how they are written, parsed and limited.
struct SettingForm<Value: Sendable>: Sendable {
    let kind: String
    /// The allowed values, as a phrase after "expected".
    let allowed: String
    /// The separator of items if a list in the file is also accepted; nil for single values.
    var separator: Character?
    /// The value of a text; nil if it is not allowed.
    let parse: @Sendable (String) -> Value?
    /// The text of a value; `parse` reads it back unchanged.
    let format: @Sendable (Value) -> String
}

extension SettingForm where Value == Int {
    /// A whole number within a range.
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(
            kind: "integer",
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            format: { String($0) }
        )
    }

    /// A number of bytes within a range, plain or in KiB or MiB.
    static func size(_ range: ClosedRange<Int>) -> Self {
        Self(
            kind: "size",
            allowed: "a size from \(SizeText.format(range.lowerBound)) to \(SizeText.format(range.upperBound))",
            parse: { text in SizeText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            format: SizeText.format
        )
    }
}

extension SettingForm where Value == Double {
    /// A number within a range.
    static func decimal(_ range: ClosedRange<Double>) -> Self {
        Self(
            kind: "decimal",
            allowed: "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))",
            parse: { text in Double(text).flatMap { range.contains($0) ? $0 : nil } },
            format: Self.plain
        )
    }

    @Sendable private static func plain(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String(number)
    }
}

extension SettingForm where Value == TimeSpan {
    /// A length of time within a range, written like 250ms, 5s, 10m, 3h or 30d.
    static func duration(_ range: ClosedRange<TimeSpan>) -> Self {
        let least = DurationText.format(range.lowerBound)
        let most = DurationText.format(range.upperBound)
        return Self(
            kind: "duration",
            allowed: "a duration from \(least) to \(most)",
            parse: { text in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            format: DurationText.format
        )
    }
}

extension SettingForm where Value == String {
    /// Any non-empty text without control characters.
    static var text: Self {
        Self(
            kind: "text",
            allowed: "text without control characters, not empty",
            parse: { text in
                let isClean = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
                return isClean && text.contains { !$0.isWhitespace } ? text : nil
            },
            format: { $0 }
        )
    }
}

extension SettingForm where Value == String? {
    /// Any such text, or `none` for nil.
    static var optionalText: Self {
        let text = SettingForm<String>.text
        return Self(
            kind: "optional text",
            allowed: "none, or \(text.allowed)",
            parse: { $0 == "none" ? .some(nil) : text.parse($0).map { .some($0) } },
            format: { $0 ?? "none" }
        )
    }

    /// A URL template of map tiles, a file of tiles, or `none` for nil.
    static var tiles: Self {
        Self(
            kind: "optional URL template or file",
            allowed:
                "none, a template such as https://tiles.example/{z}/{x}/{y}.png, or a file such as /srv/map.mbtiles",
            parse: { text in
                if text == "none" { return .some(nil) }
                return TileTemplate.isValid(text) || TileTemplate.isFile(text) ? .some(text) : nil
            },
            format: { $0 ?? "none" }
        )
    }
}

extension SettingForm where Value == Bool {
    /// `true` or `false`.
    static var toggle: Self {
        Self(kind: "toggle", allowed: "true or false", parse: { Bool($0) }, format: { String($0) })
    }
}

extension SettingForm where Value == [AddressRange] {
    /// Any number of networks or single addresses, separated by commas.
    static var networks: Self {
        Self(
            kind: "list of networks",
            allowed: "networks or addresses such as 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32, without duplicates",
            separator: ",",
            parse: { NetworkText.parse($0) },
            format: { $0.map(\.description).joined(separator: ",") }
        )
    }
}

extension SettingForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a fixed set of words.
    static func choice() -> Self {
        Self(
            kind: "choice",
            allowed: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "),
            parse: { Value(rawValue: $0) },
            format: { $0.rawValue }
        )
    }
}

extension SettingForm where Value == Instant? {
    /// A moment in RFC 3339, or `real` for none.
    static var instant: Self {
        let range = Instant(milliseconds: 0)..<Instant(milliseconds: 4_102_444_800_000)
        return Self(
            kind: "instant",
            allowed: "real, or a time such as 2026-11-21T09:00:00Z from 1970 to 2099",
            parse: { text in
                if text == "real" { return .some(nil) }
                guard let instant = Instant(rfc3339: text), range.contains(instant) else { return nil }
                return .some(instant)
            },
            format: { $0?.rfc3339 ?? "real" }
        )
    }
}

extension SettingForm where Value == [String] {
    /// Any number of web origins, separated by commas.
    static var origins: Self {
        Self(
            kind: "list of origins",
            allowed: "origins such as https://meet.example or http://localhost:3000, without duplicates",
            separator: ",",
            parse: { OriginText.parse($0) },
            format: { $0.joined(separator: ",") }
        )
    }
}
