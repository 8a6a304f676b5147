/// What an owner wants to be different about a promise; what is nil or empty stays (domain §4).
public struct PromiseEdit: Hashable, Sendable {
    /// The version that the change was made from.
    public var version: Int
    /// Another title, checked.
    public var title: String?
    /// Another note, checked; empty removes it.
    public var note: String?
    /// Another place, checked.
    public var place: Place?
    /// Another meeting time.
    public var meetsAt: Instant?
    /// Another radius in metres, within the limits.
    public var radiusMetres: Int?
    /// Another penalty; one of amount 0 removes it.
    public var penalty: Penalty?
    /// Friends to invite as well, without repeats.
    public var invite: [UserID]
    /// Participants to take out, without repeats.
    public var remove: [UserID]

    /// An edit made from a version, that changes nothing yet.
    public init(version: Int) {
        self.version = version
        invite = []
        remove = []
    }

    /// The first thing asked for, by its name on the wire, that is not possible once the window is open; nil when all is.
    var fieldClosedByOpening: String? {
        if place != nil { return "place" }
        if meetsAt != nil { return "meetsAt" }
        if radiusMetres != nil { return "radiusMetres" }
        if penalty != nil { return "penalty" }
        if !invite.isEmpty { return "invite" }
        return remove.isEmpty ? nil : "remove"
    }
}

extension Promise {
    /// Applies what an edit says about the promise itself; the version stays.
    ///
    /// - Returns: whether anything is different now.
    mutating func apply(_ edit: PromiseEdit) -> Bool {
        let before = self
        title = edit.title ?? title
        note = edit.note ?? note
        place = edit.place ?? place
        meetsAt = edit.meetsAt ?? meetsAt
        radiusMetres = edit.radiusMetres ?? radiusMetres
        if let asked = edit.penalty { penalty = asked.amount == 0 ? nil : asked }
        return self != before
    }
}

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
