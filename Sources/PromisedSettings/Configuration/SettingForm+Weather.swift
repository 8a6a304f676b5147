import PromisedPlaces

extension SettingForm where Value == [WeatherAddress] {
    /// Any number of addresses, separated by commas, at most one for each provider.
    static var weatherAddresses: Self {
        Self(
            kind: "list of addresses",
            allowed: "items such as open-meteo=https://weather.example/v1 or recorded=FOLDER, one per provider "
                + "(\(WeatherAddress.Provider.allCases.map(\.rawValue).joined(separator: ", ")))",
            separator: ",",
            parse: { text in
                let addresses = ListText.items(text).map { WeatherAddress($0) }
                let found = addresses.compactMap(\.self)
                return found.count == addresses.count && Set(found.map(\.provider)).count == found.count ? found : nil
            },
            format: { $0.map { "\($0.provider.rawValue)=\($0.address)" }.joined(separator: ",") }
        )
    }
}

extension SettingForm where Value == [WeatherSource] {
    /// Any number of providers in order, separated by commas.
    static var weatherSources: Self {
        Self(
            kind: "list of providers",
            allowed: "some of \(WeatherSource.allCases.map(\.rawValue).joined(separator: ", ")), without duplicates",
            separator: ",",
            parse: { text in
                let sources = ListText.items(text).map { WeatherSource(rawValue: $0) }
                let found = sources.compactMap(\.self)
                return found.count == sources.count && Set(found).count == found.count ? found : nil
            },
            format: { $0.map(\.rawValue).joined(separator: ",") }
        )
    }
}

extension SettingForm where Value == String? {
    /// A line of printable ASCII for an HTTP header, or `none` for nil.
    static var contact: Self {
        Self(
            kind: "optional contact",
            allowed: "none, or 1 to 100 printable ASCII characters without spaces and parentheses",
            parse: { text in
                if text == "none" { return .some(nil) }
                let isPrintable = text.unicodeScalars.allSatisfy { (0x21...0x7e).contains($0.value) }
                return isPrintable && (1...100).contains(text.count) && !text.contains { "()".contains($0) }
                    ? .some(text) : nil
            },
            format: { $0 ?? "none" }
        )
    }
}
