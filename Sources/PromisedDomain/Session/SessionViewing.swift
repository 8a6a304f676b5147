/// The view link of a session for people without an account, and the number of viewers.
struct SessionViewing: Sendable {
    /// The link, even if it has expired.
    var link: ViewLink?
    /// The number of viewers.
    var count = 0
    /// The last count sent to the participants, and when.
    private var told: (count: Int, at: Instant?) = (0, nil)

    init(link: ViewLink?) { self.link = link }

    /// When the number may be sent; nil if it is unchanged or can be sent at once.
    var nextTelling: Instant? {
        guard count != told.count else { return nil }
        return told.at.map { $0 + ViewLinkLimits.countInterval }
    }

    /// The number of viewers if it has changed and the minimum interval has passed; it then counts as sent.
    mutating func takeNews(at now: Instant) -> Int? {
        guard count != told.count, nextTelling.map({ $0 <= now }) ?? true else { return nil }
        told = (count, now)
        return count
    }
}
