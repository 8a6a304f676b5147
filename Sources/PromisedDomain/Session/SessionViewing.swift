/// The link by which people without an account watch a session, and how many do.
struct SessionViewing: Sendable {
    /// Also one that has ended by the clock.
    var link: ViewLink?
    /// How many watch by it.
    var count = 0
    /// The last count told to the participants, and when.
    private var told: (count: Int, at: Instant?) = (0, nil)

    init(link: ViewLink?) { self.link = link }

    /// When the number may be told; nil when it is no news or nothing stands in the way.
    var nextTelling: Instant? {
        guard count != told.count else { return nil }
        return told.at.map { $0 + ViewLinkLimits.countInterval }
    }

    /// The number of viewers when it is news and not too soon after the last time; it counts as told then.
    mutating func takeNews(at now: Instant) -> Int? {
        guard count != told.count, nextTelling.map({ $0 <= now }) ?? true else { return nil }
        told = (count, now)
        return count
    }
}
