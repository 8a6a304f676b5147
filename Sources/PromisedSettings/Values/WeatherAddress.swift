/// An address that replaces a provider's public one, written `PROVIDER=ADDRESS`.
package struct WeatherAddress: Sendable, Hashable {
    /// A provider with an address.
    package enum Provider: String, Sendable, Hashable, CaseIterable {
        /// The Korea Meteorological Administration.
        case kma
        /// Open-Meteo's forecasts.
        case openMeteo = "open-meteo"
        /// Open-Meteo's quality of the air.
        case air
        /// The Norwegian Meteorological Institute.
        case metNorway = "met-norway"
        /// A folder of recorded replies.
        case recorded
    }

    package let provider: Provider
    /// `https://host[:port][/path]`; for ``Provider/recorded`` the path of a folder.
    package let address: String

    /// The address in a text; nil for an unknown provider and for anything but an HTTPS address, or the path of a
    /// folder.
    package init?(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2, let provider = Provider(rawValue: halves[0]) else { return nil }
        let isPlain = halves[1].unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "," }
        guard isPlain, provider == .recorded || Self.isService(halves[1]) else { return nil }
        self.provider = provider
        address = halves[1]
    }

    /// The folder of recorded replies.
    package init(recordedIn folder: String) {
        provider = .recorded
        address = folder
    }

    /// `true` for an HTTPS origin with at most a path.
    private static func isService(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme), !text.contains(where: { "?#@ ".contains($0) || !$0.isASCII }) else {
            return false
        }
        return OriginText.parse(scheme + text.dropFirst(scheme.count).prefix { $0 != "/" })?.count == 1
    }
}
