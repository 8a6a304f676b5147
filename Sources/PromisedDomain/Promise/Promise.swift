package typealias PromiseID = ID<Promise>

/// A meetup with a place and a time.
package struct Promise: Hashable, Sendable {
    package let id: PromiseID
    /// The user who may change it.
    package var ownerID: UserID
    /// 1–60 characters.
    package var title: String
    /// At most 500 characters, possibly empty.
    package var note: String
    package var place: Place
    /// The meeting time: `t` in the rules.
    package var meetsAt: Instant
    /// The radius of the circle that counts as "there", 20–500 m.
    package var radiusMetres: Int
    /// The penalty for late participants, if agreed.
    package var penalty: Penalty?
    /// How arrivals are decided.
    package var rule: ArrivalRule
    /// The spans it was created under.
    package var spans: WindowSpans
    /// Rises by one with each edit; for optimistic locking. The first is 1.
    package var version: Int
    /// When it was created.
    package var createdAt: Instant
    /// When it was cancelled; nil otherwise.
    package var cancelledAt: Instant?
    /// The reason for the cancellation; may be empty.
    package var cancelReason: String
    /// The owner's course that the participants see; nil without one. Deleting the course clears it in the store.
    package var courseID: CourseID?
    /// The data that its invite link shows.
    package var preview: PromisePreview
    /// Identifies the gapless numbering of its durable events (docs/protocol.md#resuming); never empty.
    package var epoch: String

    package init(
        id: PromiseID,
        ownerID: UserID,
        title: String,
        note: String = "",
        place: Place,
        meetsAt: Instant,
        radiusMetres: Int = 50,
        penalty: Penalty? = nil,
        rule: ArrivalRule = ArrivalRule(),
        spans: WindowSpans = WindowSpans(),
        version: Int = 1,
        createdAt: Instant,
        cancelledAt: Instant? = nil,
        cancelReason: String = "",
        courseID: CourseID? = nil,
        preview: PromisePreview = .time,
        epoch: String
    ) {
        self.id = id
        self.ownerID = ownerID
        self.title = title
        self.note = note
        self.place = place
        self.meetsAt = meetsAt
        self.radiusMetres = radiusMetres
        self.penalty = penalty
        self.rule = rule
        self.spans = spans
        self.version = version
        self.createdAt = createdAt
        self.cancelledAt = cancelledAt
        self.cancelReason = cancelReason
        self.courseID = courseID
        self.preview = preview
        self.epoch = epoch
    }
}

extension Promise {
    /// The first instant of the window.
    package var opensAt: Instant { meetsAt - spans.before }

    /// The end of the window, exclusive.
    package var closesAt: Instant { meetsAt + spans.after }

    /// When the result becomes final.
    package var settlesAt: Instant { closesAt + spans.settle }

    /// How long after the meeting time an arrival is still on time: the rule's grace, but never longer than the window,
    /// whatever an older version stored (domain §6.5).
    package var grace: TimeSpan { min(rule.grace, spans.after) }

    /// The first instant at which an arrival is late; not after the end of the window.
    package var lateFrom: Instant { meetsAt + grace }

    /// The instants at which positions count: the start included, the end excluded.
    package var window: Range<Instant> { opensAt..<closesAt }

    /// The status at `now`, by the clock alone unless it was cancelled.
    package func status(at now: Instant) -> PromiseStatus {
        if cancelledAt != nil { return .cancelled }
        if now < opensAt { return .scheduled }
        if now < closesAt { return .tracking }
        return now < settlesAt ? .settling : .final
    }
}

extension Promise {
    /// `true` if ``empty()`` has removed its texts and its place: the accounts of all users who could read it are
    /// deleted.
    package var isEmptied: Bool { place.name.isEmpty }

    /// Removes all texts and the place (domain §2). Times, owner and terms remain.
    package mutating func empty() {
        (title, note, cancelReason, courseID) = ("", "", "", nil)
        place = Place(name: "", coordinate: Coordinate(latitude: 0, longitude: 0))
    }
}

/// The status of a promise (domain §4).
///
/// ```
///             opensAt            closesAt            settlesAt
/// scheduled ───────────▶ tracking ─────────▶ settling ─────────▶ final
///     └──────────────────────┴───────────────────┴──▶ cancelled
/// ```
package enum PromiseStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Before the window.
    case scheduled
    /// Inside the half-open window: positions are exchanged.
    case tracking
    /// After the window: late uploads are still accepted, but nothing is shown live.
    case settling
    /// The result is final.
    case final
    /// Cancelled by its owner; has no result.
    case cancelled
}
