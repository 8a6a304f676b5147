/// A category of places, with its name and icon.
package struct PlaceCategory: Hashable, Sendable {
    package let id: CategoryID
    /// Its name, 1–40 characters in each language.
    package let name: BilingualName
    /// The key of its icon; a client shows its default icon for a key it does not know.
    package let icon: String

    /// The most characters of a name in one language.
    package static let longestName = 40
    /// The icon of a category for which the operator sets none.
    package static let defaultIcon = "other"

    package init(id: CategoryID, name: BilingualName, icon: String) {
        self.id = id
        self.name = name
        self.icon = icon
    }

    /// A category from the operator's texts.
    ///
    /// - Parameters:
    ///   - korean: empty for the English name.
    ///   - icon: empty for ``defaultIcon``.
    /// - Throws: ``CategoryProblem`` for the first field that is invalid.
    package init(id text: String, english: String, korean: String = "", icon: String = "") throws(CategoryProblem) {
        guard let id = CategoryID(text) else { throw .malformedID(text) }
        for name in [english, korean.isEmpty ? english : korean] where !PlaceCategory.isName(name) {
            throw .malformedName(name, of: id)
        }
        let icon = icon.isEmpty ? PlaceCategory.defaultIcon : icon
        guard CategoryID.isPart(Substring(icon).utf8) else { throw .malformedIcon(icon, of: id) }
        self.init(id: id, name: BilingualName(english: english, korean: korean.isEmpty ? english : korean), icon: icon)
    }

    /// The categories that every directory has.
    package static let builtIn: [PlaceCategory] = [
        PlaceCategory("market/permanent", "Market", "상설시장", icon: "market"),
        PlaceCategory("market/periodic", "Periodic market", "오일장", icon: "market-day"),
        PlaceCategory("bookshop/new", "Bookshop", "새책방", icon: "book"),
        PlaceCategory("bookshop/used", "Second-hand bookshop", "헌책방", icon: "book-used"),
        PlaceCategory("bicycle/air", "Bicycle pump", "자전거 공기주입기", icon: "bicycle-air"),
        PlaceCategory("bicycle/parking", "Bicycle parking", "자전거 보관소", icon: "bicycle-parking"),
        PlaceCategory("bicycle/rental", "Bicycle rental", "자전거 대여소", icon: "bicycle"),
        PlaceCategory("bicycle/repair", "Bicycle repair", "자전거 수리점", icon: "bicycle-repair"),
        PlaceCategory("cafe", "Café", "카페", icon: "cafe"),
        PlaceCategory("library", "Library", "도서관", icon: "library"),
        PlaceCategory("park", "Park", "공원", icon: "park"),
        PlaceCategory("station", "Station", "역", icon: "station"),
        PlaceCategory("event", "Event", "행사", icon: "event"),
        PlaceCategory("other", "Other", "기타", icon: defaultIcon),
    ]

    private init(_ id: String, _ english: String, _ korean: String, icon: String) {
        self.init(id: CategoryID(text: id), name: BilingualName(english: english, korean: korean), icon: icon)
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.first, let last = name.last, name.count <= longestName else { return false }
        return !first.isWhitespace && !last.isWhitespace
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// The reason why a category is refused.
package enum CategoryProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedID(String)
    /// A name is empty, too long, or has white space around it or control characters in it.
    case malformedName(String, of: CategoryID)
    /// The key of the icon is malformed.
    case malformedIcon(String, of: CategoryID)
    /// The id is that of a built-in category.
    case builtIn(CategoryID)
    /// The operator adds two categories with this id.
    case duplicate(CategoryID)
    /// This number of categories exceeds the limit.
    case tooMany(Int)

    package var description: String {
        switch self {
        case .malformedID(let text):
            "The category id \"\(text)\" is malformed: use 1 to \(CategoryID.longestPart) characters of a-z, 0-9 and "
                + "-, beginning with a letter, optionally followed by / and one more such part."
        case .malformedName(let name, let id):
            "The name \"\(name)\" of the category \(id.text) is malformed: use 1 to \(PlaceCategory.longestName) "
                + "characters without line breaks and without blanks around them."
        case .malformedIcon(let icon, let id):
            "The icon \"\(icon)\" of the category \(id.text) is malformed: use 1 to \(CategoryID.longestPart) "
                + "characters of a-z, 0-9 and -, beginning with a letter."
        case .builtIn(let id): "The category \(id.text) is built in: give the added one another id."
        case .duplicate(let id): "The category \(id.text) is added twice: remove one of the two."
        case .tooMany(let count):
            "There are \(count) categories with the built-in ones: at most \(CategoryTable.most) are allowed, so "
                + "remove \(count - CategoryTable.most)."
        }
    }
}
