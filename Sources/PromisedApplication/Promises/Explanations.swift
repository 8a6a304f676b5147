package import PromisedDomain
package import PromisedEngine

/// Judges fixes for explanations: one explanation at a time, and once for all its pages.
///
/// Judging 30,000 fixes takes 60 ms of processor time. The actor limits this to one thread of the pool for any number
/// of connections. Later pages come from the list judged for the first, so fixes that arrive meanwhile cause neither
/// repeats nor gaps.
package actor Explanations {
    /// The reader's connection and the participant to explain.
    package struct Subject: Hashable, Sendable {
        package let connection: SubscriberID
        package let promise: PromiseID
        package let user: UserID
    }

    /// A participant's fixes: the stored ones with the rule's verdicts, then the refused ones.
    package struct Explanation: Sendable {
        /// The promise when it was judged: an edit of its place or time changes every verdict.
        let promise: Promise
        package let judged: [ExplainedFix]
        package let refused: [RefusedFix]
        /// Fixes with a larger error, in metres, are too inaccurate for the rule.
        package let limitMetres: Double
        /// The reason for a missing arrival; nil if there is one, or if the data is deleted.
        package let noArrival: NoArrival?
        /// Why the arrival is not confirmed, and when the clock decides; nil if it is not held.
        package let hold: Hold?

        /// The reason that a provisional arrival waits.
        package struct Hold: Sendable {
            package let reason: ArrivalDetector.Hold
            package let decidedAt: Instant
        }

        package var count: Int { judged.count + refused.count }
    }

    /// The most explanations stored for their next page, up to 6 MB each. A further one replaces the oldest, whose next
    /// page is judged again.
    static let limit = 4

    private var waiting: [(subject: Subject, explanation: Explanation)] = []

    /// The explanation whose first page was shown; nil if it must be judged again.
    func known(_ subject: Subject, of promise: Promise) -> Explanation? {
        waiting.first { $0.subject == subject && $0.explanation.promise == promise }?.explanation
    }

    /// Judges the fixes of a participant.
    ///
    /// - Parameters:
    ///   - kept: all stored fixes, in any order and with repeats; nil if they were deleted.
    ///   - arrival: the participant's; nil without one.
    ///   - now: the server's clock.
    func explain(
        _ kept: [ArchivedFix]?,
        refused: [RefusedFix],
        of promise: Promise,
        arrival: Arrival?,
        for subject: Subject,
        at now: Instant
    ) -> Explanation {
        let tracks = ExplainedTrack.judge(kept ?? [], of: promise)
        let standing = tracks.first { $0.device == arrival?.evidence?.device }
        let isMissing = arrival == nil && kept != nil
        let explanation = Explanation(
            promise: promise,
            judged: tracks.fixes,
            refused: refused,
            limitMetres: ArrivalCriteria(promise).usableErrorMetres,
            noArrival: isMissing ? NoArrival(tracks, refused: refused, of: promise, at: now) : nil,
            hold: standing?.hold(at: now).map { Explanation.Hold(reason: $0.hold, decidedAt: $0.decidedAt) }
        )
        forget(subject)
        if waiting.count == Explanations.limit { waiting.removeFirst() }
        waiting.append((subject, explanation))
        return explanation
    }

    /// Drops an explanation whose last page was shown.
    func forget(_ subject: Subject) { waiting.removeAll { $0.subject == subject } }
    func forget(_ connection: SubscriberID) { waiting.removeAll { $0.subject.connection == connection } }
}
