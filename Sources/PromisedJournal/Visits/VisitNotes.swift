internal import PromisedDomain

/// The texts and photos that a user adds to a visit.
package struct VisitNotes: Hashable, Sendable {
    /// The kind of note.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case note
        /// A sentence to remember.
        case quote
        case book
        /// Something to eat or drink.
        case food
        /// Anything else.
        case other
    }

    package var kind: Kind
    /// At most ``VisitLimits/title`` characters, possibly empty.
    package var title: String
    /// At most ``VisitLimits/memo`` characters, possibly empty; the only text with line breaks, which are LF.
    package var memo: String
    /// One character, or empty.
    package var emoji: String
    /// In the user's order, at most ``Photo/most``.
    package var photos: [Photo]

    /// Notes; by default none.
    package init(
        kind: Kind = .note,
        title: String = "",
        memo: String = "",
        emoji: String = "",
        photos: [Photo] = []
    ) {
        self.kind = kind
        self.title = title
        self.memo = memo
        self.emoji = emoji
        self.photos = photos
    }

    /// `true` without title, memo and photo; an emoji alone is not enough.
    package var isEmpty: Bool { title.isEmpty && memo.isEmpty && photos.isEmpty }

    /// Checks the lengths. The characters are validated where texts are received. Throws `invalid` with the field.
    func check() throws(Refusal) {
        let lengths = [
            ("title", title, VisitLimits.title), ("memo", memo, VisitLimits.memo), ("emoji", emoji, 1),
        ]
        for (field, text, most) in lengths where text.count > most { throw .invalid(field: field) }
        try Photo.check(photos)
    }
}
