import PromisedDomain

/// A whole meetup as it will be played through a server: who, where, when, and what each phone reports.
struct MeetupPlan: Hashable, Sendable {
    /// One phone.
    struct Person: Hashable, Sendable {
        /// Unique among the people.
        var nickname: String
        /// What their phone sends, ascending by time.
        var reports: [PlannedReport]
        /// How many recorded fixes lie outside the window and are not sent, for the server would refuse them.
        var leftOut = 0
    }

    var title: String
    var place: Place
    var radiusMetres: Int
    var meetsAt: Instant
    var rule: ArrivalRule.Name
    var penalty: Penalty?
    /// At least one; the first owns the promise.
    var people: [Person]

    /// When the window opens and ends, by the default spans, which a server may have changed.
    var opensAt: Instant { meetsAt - WindowSpans().before }
    /// See ``opensAt``.
    var closesAt: Instant { meetsAt + WindowSpans().after }
    /// See ``opensAt``.
    var settlesAt: Instant { closesAt + WindowSpans().settle }
}

/// One report of one fix.
struct PlannedReport: Hashable, Sendable {
    /// When the phone sends it.
    var at: Instant
    /// The fix; its wall clock says when it was recorded.
    var fix: Fix
}
