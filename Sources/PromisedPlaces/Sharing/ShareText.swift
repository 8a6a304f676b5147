package import PromisedDomain

/// A text for sharing a place, a promise or a course, with links to maps.
///
/// Only the fields below go into it, so it never contains a code, a token, a note, a participant or a recorded
/// position.
package struct ShareText: Hashable, Sendable {
    /// Lines separated by LF: the shared subject, then the links.
    package let text: String
    /// The links to maps, also in the text.
    package let links: [MapLink]
}

/// A place to be shared.
package struct SharedPlace: Hashable, Sendable {
    /// Name, address and position.
    package var place: Place
    /// Its phone number, possibly empty.
    package var phone: String
    /// The URL of its website, possibly empty.
    package var website: String
    /// The URL of its page in a social network, possibly empty.
    package var social: String

    /// A place; only places of the directory have contacts.
    package init(_ place: Place, phone: String = "", website: String = "", social: String = "") {
        self.place = place
        self.phone = phone
        self.website = website
        self.social = social
    }
}

/// The opening hours of a place today, in its time zone.
package enum SharedHours: Hashable, Sendable {
    /// Closed all day.
    case closed
    /// Open; the hours are unknown.
    case thatDay
    /// Open in these spans, in minutes since midnight, ascending; past midnight up to 26:00.
    case open([Range<Int>])
}

/// Writes share texts in one language, with links to one operator's maps.
package struct ShareTextWriter: Hashable, Sendable {
    private let maps: [MapLinkTemplate]
    private let language: BilingualName.Language
    private let words: ShareWords

    package init(language: BilingualName.Language, maps: [MapLinkTemplate] = MapLinkTemplate.defaults) {
        self.language = language
        self.maps = maps
        words = ShareWords(language: language)
    }

    /// The text of a place.
    ///
    /// - Parameter today: its hours today; nil if they are unknown.
    package func text(of shared: SharedPlace, today: SharedHours?) -> ShareText {
        text([shared.place.name] + location(of: shared) + [today.map { words.hours($0) }], at: shared.place)
    }

    /// The text of a promise.
    ///
    /// - Parameters:
    ///   - title: the promise's title.
    ///   - aheadOfUTCSeconds: how far local time at the meeting time is ahead of UTC.
    package func text(
        ofPromise title: String,
        at shared: SharedPlace,
        meetsAt: Instant,
        aheadOfUTCSeconds: Int
    ) -> ShareText {
        let time = meetingTime(meetsAt, aheadOfUTCSeconds: aheadOfUTCSeconds)
        return text([title, shared.place.name] + location(of: shared) + [time], at: shared.place)
    }

    /// A meeting time in words, in local time.
    package func meetingTime(_ instant: Instant, aheadOfUTCSeconds: Int) -> String {
        words.meetingTime(instant, aheadOfUTCSeconds: aheadOfUTCSeconds)
    }

    /// The text of a course.
    ///
    /// - Parameters:
    ///   - title: the course's title.
    ///   - distanceMetres: its length; nil omits it.
    ///   - start: a place of the directory at its start. Never a recorded point, which may be a user's home.
    package func text(ofCourse title: String, distanceMetres: Double?, start: Place?) -> ShareText {
        let lines = [title, distanceMetres.map { words.distance($0) }, start?.name, start?.address]
        return text(lines, at: start)
    }

    /// Address and contacts.
    private func location(of shared: SharedPlace) -> [String?] {
        [
            shared.place.address, words.line(words.phone, shared.phone), words.line(words.website, shared.website),
            words.line(words.social, shared.social),
        ]
    }

    /// The lines that are not empty, then the links to `place`.
    private func text(_ lines: [String?], at place: Place?) -> ShareText {
        let links = place.map { place in maps.compactMap { $0.link(to: place, in: language) } } ?? []
        let lines = lines.compactMap { $0 }.filter { !$0.isEmpty } + links.map { "\($0.name): \($0.url)" }
        return ShareText(text: lines.joined(separator: "\n"), links: links)
    }
}
