package import PromisedDomain

/// A place that the operator offers to meet at.
package struct DirectoryPlace: Hashable, Sendable {
    /// A further name of a place.
    package struct Name: Hashable, Sendable {
        /// The language as the source names it, such as `en` or `zh-Hant`.
        package var language: String
        /// The name in that language, 1–100 characters.
        package var name: String

        package init(language: String, name: String) {
            self.language = language
            self.name = name
        }
    }

    /// An additional attribute of a place from its source.
    package struct Fact: Hashable, Sendable {
        /// 1–24 characters of `a`–`z` and `-`.
        package var key: String
        /// At most 100 characters.
        package var value: String

        package init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The part that lists and maps show.
    package var listing: PlaceListing
    /// Its id in the source, at most 100 characters; or a hash if the source has none.
    package var ref: String
    /// At most four further names, each in a different language.
    package var names: [Name]
    /// The telephone number, at most 40 characters, possibly empty.
    package var phone: String
    /// The address of its page, http or https, at most 300 characters, possibly empty.
    package var website: String
    /// The address of its page in a social network, in the same form.
    package var social: String
    /// At most 16 facts with different keys.
    package var facts: [Fact]
    /// When it was added or last changed.
    package var updatedAt: Instant
    /// When it was removed from the directory; nil while it is listed.
    package var removedAt: Instant?

    /// A place with all its fields; ``check()`` checks them.
    package init(
        listing: PlaceListing,
        ref: String,
        names: [Name] = [],
        phone: String = "",
        website: String = "",
        social: String = "",
        facts: [Fact] = [],
        updatedAt: Instant,
        removedAt: Instant? = nil
    ) {
        self.listing = listing
        self.ref = ref
        self.names = names
        self.phone = phone
        self.website = website
        self.social = social
        self.facts = facts
        self.updatedAt = updatedAt
        self.removedAt = removedAt
    }
}
