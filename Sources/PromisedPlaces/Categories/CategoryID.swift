/// The id of a category: `cafe`, or with a second part `bookshop/used`.
///
/// Each part begins with a letter and has 1–24 characters of `a`–`z`, `0`–`9` and `-`. Ordered by text.
package struct CategoryID: Hashable, Sendable, Comparable {
    /// One or two parts, separated by `/`.
    package let text: String

    /// The most characters of one part.
    package static let longestPart = 24

    /// An id from a validated text, such as one from the store.
    package init(text: String) {
        self.text = text
    }

    /// An id from a text; nil if it is malformed.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy(CategoryID.isPart) else { return nil }
        self.text = text
    }

    package static func < (left: CategoryID, right: CategoryID) -> Bool { left.text < right.text }

    /// The first part of an id with two; nil for an id with one.
    package var parent: CategoryID? {
        text.firstIndex(of: "/").map { CategoryID(text: String(text[..<$0])) }
    }

    /// `true` for the id itself and, if this one has one part, for all ids that begin with it: `bookshop` contains
    /// `bookshop/used`, but not `bookshops`.
    package func contains(_ other: CategoryID) -> Bool {
        other == self || other.parent == self
    }

    /// `true` if the characters form one part of an id. The keys of icons have the same form.
    static func isPart(_ characters: Substring.UTF8View) -> Bool {
        guard let first = characters.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
            return false
        }
        return characters.count <= longestPart
            && characters.allSatisfy { character in
                switch character {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
