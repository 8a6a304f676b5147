/// The numbers a promise must keep to (domain §4).
public enum PromiseLimits {
    /// The circle, in metres.
    public static let radiusMetres = 20...500
    /// The circle when none is asked for, in metres.
    public static let defaultRadiusMetres = 50
    /// At most so many participants, the owner included; those who declined, left or were removed do not count.
    public static let participants = 50
    /// At most so many people over the life of a promise, those included who declined, left or were removed: each has a
    /// place in its snapshot and, once the window was open, a row in its result, and both must fit into a frame.
    public static let people = 80
    /// Durable events of one promise after which nobody joins, edits, hands over or excuses any more; everything else
    /// goes on. A promise of 50 people has a few hundred: it takes a program to get here, and without a bound the log
    /// would be whatever it likes.
    public static let events = 10_000
    /// At most so many promises of one owner that are not yet over.
    public static let openPromises = 100
    /// At most so far ahead.
    public static let furthestAhead = TimeSpan.days(366)
    /// How much nearer than the opening allows a meeting may be, for the way of the request.
    public static let tolerance = TimeSpan.seconds(2)
    /// How long the key of a creation is remembered.
    public static let keyMemory = TimeSpan.hours(24)

    /// Checks that the window of a meeting at `meetsAt` has not opened and that it is not too far ahead.
    ///
    /// - Throws: `promiseTooSoon`, `promiseTooFar`.
    public static func check(meetsAt: Instant, spans: WindowSpans, at now: Instant) throws(Refusal) {
        guard meetsAt >= now + spans.before - tolerance else { throw .promiseTooSoon }
        guard meetsAt <= now + furthestAhead else { throw .promiseTooFar }
    }
}
