/// A field of a place, as named in presets and options, to which columns of a file are mapped.
package enum PlaceField: Hashable, Sendable {
    /// The place's id in its source.
    case ref
    case name
    /// `name:LANG`: the name in another language (BCP 47).
    case nameIn(language: String)
    /// Degrees, or the northing of a projection.
    case latitude
    /// Degrees, or the easting of a projection.
    case longitude
    case address
    case region
    case category
    case hours
    case phone
    case website
    case social
    /// `fact:KEY`: any other attribute.
    case fact(key: String)

    /// The field of a name.
    ///
    /// - Throws: ``FormatError/badOption(reason:)`` with the known fields, or the form of a language or key.
    package init(named name: String) throws(FormatError) {
        if let field = Self.plain[name] {
            self = field
        } else if name.hasPrefix("name:") {
            let language = String(name.dropFirst(5))
            guard Self.isLanguage(language) else { throw Self.bad(name, "a language, such as name:en or name:zh-Hant") }
            self = .nameIn(language: language)
        } else if name.hasPrefix("fact:") {
            let key = String(name.dropFirst(5))
            guard Self.isKey(key) else { throw Self.bad(name, "1 to 24 of a to z and -, such as fact:opened") }
            self = .fact(key: key)
        } else {
            let names = Self.plain.keys.sorted() + ["name:LANG", "fact:KEY"]
            throw .badOption(reason: "the field \(name) is unknown: use one of \(names.joined(separator: ", "))")
        }
    }

    /// The name of the field in presets, options and reports.
    package var name: String {
        switch self {
        case .nameIn(let language): "name:\(language)"
        case .fact(let key): "fact:\(key)"
        default: Self.plain.first { $0.value == self }?.key ?? ""
        }
    }

    private static let plain: [String: PlaceField] = [
        "ref": .ref, "name": .name, "latitude": .latitude, "longitude": .longitude, "address": .address,
        "region": .region, "category": .category, "hours": .hours, "phone": .phone, "website": .website,
        "social": .social,
    ]

    /// `true` for a tag such as `ko` or `zh-Hant`: 2 to 16 ASCII letters, digits and hyphens, a letter first.
    private static func isLanguage(_ text: String) -> Bool {
        (2...16).contains(text.utf8.count) && text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    private static func isKey(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count) && text.allSatisfy { ("a"..."z").contains($0) || $0 == "-" }
    }

    private static func bad(_ name: String, _ form: String) -> FormatError {
        .badOption(reason: "the field \(name) is invalid: after the colon comes \(form)")
    }
}
