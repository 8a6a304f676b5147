package import PromisedDomain

/// A link to a place on a map.
package struct MapLink: Hashable, Sendable {
    /// The name of the map.
    package let name: String
    /// An absolute URL.
    package let url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

/// The URL of a map with the placeholders `{latitude}`, `{longitude}` and `{name}`.
package struct MapLinkTemplate: Hashable, Sendable {
    /// The schemes that a template may have: those of web pages, and RFC 5870.
    package static let schemes = ["https", "http", "geo"]

    /// The name of the map.
    package let name: BilingualName
    /// The URL with its placeholders.
    package let template: String

    /// The device's own map (RFC 5870), and OpenStreetMap.
    package static let defaults = [
        MapLinkTemplate(
            checked: "geo:{latitude},{longitude}",
            name: BilingualName(english: "Map on this device", korean: "기기의 지도")
        ),
        MapLinkTemplate(
            checked: "https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}",
            name: BilingualName(english: "OpenStreetMap", korean: "OpenStreetMap")
        ),
    ]

    /// A template of the operator.
    ///
    /// - Throws: ``MapLinkProblem`` if its links would not be absolute URLs of ``schemes`` that lead to the place.
    package init(name: BilingualName, template: String) throws(MapLinkProblem) {
        let scheme = template.prefix { $0 != ":" }
        guard scheme.utf8.count < template.utf8.count, MapLinkTemplate.schemes.contains(scheme.lowercased()) else {
            throw .scheme(template)
        }
        let isWritable = template.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }
        guard isWritable else { throw .character(template) }
        let filled = MapLinkTemplate.fill(template, latitude: "", longitude: "", name: "")
        guard !filled.contains(where: { $0 == "{" || $0 == "}" }) else { throw .placeholder(template) }
        let hasPosition = template.contains("{latitude}") && template.contains("{longitude}")
        guard hasPosition || template.contains("{name}") else { throw .noPlace(template) }
        self.init(checked: template, name: name)
    }

    private init(checked template: String, name: BilingualName) {
        self.template = template
        self.name = name
    }

    /// The link to a place; nil for an invalid position.
    package func link(to place: Place, in language: BilingualName.Language) -> MapLink? {
        guard place.coordinate.isValid else { return nil }
        let isPole = abs(place.coordinate.latitude) == 90
        let url = MapLinkTemplate.fill(
            template,
            latitude: MapLinkTemplate.decimal(place.coordinate.latitude),
            // RFC 5870 §3.4.2: 0 at the poles.
            longitude: isPole ? "0" : MapLinkTemplate.decimal(place.coordinate.longitude),
            name: MapLinkTemplate.percentEncoded(place.name)
        )
        return MapLink(name: name[language], url: url)
    }

    /// One pass from left to right: a name that contains a placeholder stays as it is.
    private static func fill(_ template: String, latitude: String, longitude: String, name: String) -> String {
        let values = [("{latitude}", latitude), ("{longitude}", longitude), ("{name}", name)]
        var filled = ""
        var rest = Substring(template)
        while let next = rest.first {
            if let (placeholder, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                filled += value
                rest = rest.dropFirst(placeholder.count)
            } else {
                filled.append(next)
                rest = rest.dropFirst()
            }
        }
        return filled
    }

    /// Degrees with at most six decimals (0.1 m), without exponent and without trailing zeros.
    private static func decimal(_ degrees: Double) -> String {
        let millionths = Int64((degrees * 1_000_000).rounded())
        let (whole, rest) = abs(millionths).quotientAndRemainder(dividingBy: 1_000_000)
        let sign = millionths < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var decimals = String(String(rest + 1_000_000).dropFirst())
        while decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(sign)\(whole).\(decimals)"
    }

    /// The UTF-8 bytes of a text, all but the unreserved characters of RFC 3986 §2.3 as `%` and two capital digits.
    static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            let character = Character(Unicode.Scalar(byte))
            let isUnreserved =
                character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
            if isUnreserved {
                encoded.append(character)
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The reason why a template of links to a map is refused.
package enum MapLinkProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// It does not begin with an allowed scheme.
    case scheme(String)
    /// It contains a blank, a quotation mark, a control character or a character beyond ASCII.
    case character(String)
    /// It contains an unknown placeholder or a single brace.
    case placeholder(String)
    /// It contains neither both coordinates nor the name.
    case noPlace(String)

    package var description: String {
        switch self {
        case .scheme(let template):
            "The map link \"\(template)\" has no allowed scheme: begin it with https:, http: or geo:."
        case .character(let template):
            "The map link \"\(template)\" has a character that URLs do not have: write it percent-encoded."
        case .placeholder(let template):
            "The map link \"\(template)\" has an unknown placeholder: use {latitude}, {longitude} and {name}, and "
                + "write other braces percent-encoded."
        case .noPlace(let template):
            "The map link \"\(template)\" leads to no place: use {latitude} and {longitude}, or {name}."
        }
    }
}
