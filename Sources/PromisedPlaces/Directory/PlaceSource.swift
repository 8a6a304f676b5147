/// A named part of the directory, with its licence. The attribution must accompany the data.
package struct PlaceSource: Hashable, Sendable {
    /// 1–40 characters of `a`–`z`, `0`–`9` and `-`.
    package var name: String
    /// The title of the data set.
    package var title: String
    /// The authority, company or community that publishes it.
    package var publisher: String
    /// The licence by its name.
    package var licence: String
    /// Where the data set is described; possibly empty.
    package var url: String
    /// The date of the data as the publisher writes it; possibly empty.
    package var date: String
    /// The time zone of its places, by its name in the IANA database.
    package var timeZone: String

    /// The most characters of a name.
    package static let longestName = 40

    package init(
        name: String,
        title: String = "",
        publisher: String = "",
        licence: String = "",
        url: String = "",
        date: String = "",
        timeZone: String
    ) {
        self.name = name
        self.title = title
        self.publisher = publisher
        self.licence = licence
        self.url = url
        self.date = date
        self.timeZone = timeZone
    }

    /// Checks the name of a source.
    ///
    /// - Throws: ``PlaceProblem`` for the field `source`.
    package static func check(name: String) throws(PlaceProblem) {
        let isRight = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isRight, (1...longestName).contains(name.utf8.count) else {
            let reason = "has an invalid name: use 1 to \(longestName) characters of a to z, 0 to 9 and -"
            throw PlaceProblem(field: "source", reason: reason)
        }
    }
}
