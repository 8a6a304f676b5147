/// An owner's changes to a promise; nil or empty leaves a value as it is (domain §4).
package struct PromiseEdit: Hashable, Sendable {
    /// The version that the change is based on.
    package var version: Int
    /// Another title, checked.
    package var title: String?
    /// Another note, checked; empty removes it.
    package var note: String?
    /// Another place, checked.
    package var place: Place?
    /// Another meeting time.
    package var meetsAt: Instant?
    /// Another radius in metres, within the limits.
    package var radiusMetres: Int?
    /// Another penalty; one of amount 0 removes it.
    package var penalty: Penalty?
    /// Another course, or none.
    package var course: CourseChoice?
    /// Other data for the invite link to show.
    package var preview: PromisePreview?
    /// Further friends to invite, without repeats.
    package var invite: [UserID]
    /// Participants to remove, without repeats.
    package var remove: [UserID]

    /// An edit based on a version, without changes yet.
    package init(version: Int) {
        self.version = version
        invite = []
        remove = []
    }

    /// The first requested change, by its name on the wire, that is impossible once the window is open; nil if there is
    /// none.
    var fieldClosedByOpening: String? {
        if place != nil { return "place" }
        if meetsAt != nil { return "meetsAt" }
        if radiusMetres != nil { return "radiusMetres" }
        if penalty != nil { return "penalty" }
        if !invite.isEmpty { return "invite" }
        return remove.isEmpty ? nil : "remove"
    }
}

/// The course that a promise is to carry.
package enum CourseChoice: Hashable, Sendable {
    /// No course.
    case nothing
    /// A course of the owner.
    case course(CourseID)
}

extension Promise {
    /// Applies the changes to the promise, except the version. Returns `true` if anything changed.
    mutating func apply(_ edit: PromiseEdit) -> Bool {
        let before = self
        title = edit.title ?? title
        note = edit.note ?? note
        place = edit.place ?? place
        meetsAt = edit.meetsAt ?? meetsAt
        radiusMetres = edit.radiusMetres ?? radiusMetres
        preview = edit.preview ?? preview
        switch edit.course {
        case .course(let id): courseID = id
        case .nothing: courseID = nil
        case nil: break
        }
        if let asked = edit.penalty { penalty = asked.amount == 0 ? nil : asked }
        return self != before
    }
}

/// The limits of a promise (domain §4).
package enum PromiseLimits {
    /// The radius, in metres.
    package static let radiusMetres = 20...500
    /// The default radius, in metres.
    package static let defaultRadiusMetres = 50
    /// The most participants, including the owner; users who declined, left or were removed do not count.
    package static let participants = 50
    /// The most people over the life of a promise, including those who declined, left or were removed: each has an
    /// entry in its snapshot and, once the window was open, a row in its result, and both must fit into a frame.
    package static let people = 80
    /// The number of durable events after which joining, editing, handing over and excusing are refused; everything
    /// else still works. A promise of 50 people has a few hundred: only a program reaches this, and without a bound it
    /// could fill the log.
    package static let events = 10_000
    /// The most promises of one owner that are not yet over.
    package static let openPromises = 100
    /// The most unfinished promises of one participant, owned ones included: a report without a promise concerns all
    /// that are being tracked.
    package static let participations = 200
    /// The most promises of one participant whose windows share an instant, owned ones included.
    package static let overlapping = 12
    /// The furthest meeting time ahead.
    package static let furthestAhead = TimeSpan.days(366)
    /// How much too early a meeting time may be, to allow for the request's delay.
    package static let tolerance = TimeSpan.seconds(2)
    /// How long the key of a creation is stored.
    package static let keyMemory = TimeSpan.hours(24)

    /// Checks that the window of a meeting at `meetsAt` has not opened and that it is not too far ahead. Throws
    /// `promiseTooSoon`, `promiseTooFar`.
    package static func check(meetsAt: Instant, spans: WindowSpans, at now: Instant) throws(Refusal) {
        guard meetsAt >= now + spans.before - tolerance else { throw .promiseTooSoon }
        guard meetsAt <= now + furthestAhead else { throw .promiseTooFar }
    }
}
