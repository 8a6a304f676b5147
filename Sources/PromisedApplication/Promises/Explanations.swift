package import PromisedDomain
package import PromisedEngine

/// Judges fixes for explanations: one at a time, and once for all pages of an explanation.
///
/// Judging 30,000 fixes takes 60 ms of processor time. The actor keeps that to one thread of the pool, however many
/// connections ask. Later pages come from the list that was judged for the first, so fixes that arrive meanwhile
/// neither repeat nor skip any.
package actor Explanations {
    /// The reader's connection and the participant to explain.
    package struct Subject: Hashable, Sendable {
        package let connection: SubscriberID
        package let promise: PromiseID
        package let user: UserID
    }

    /// A participant's fixes: the stored ones with the rule's verdicts, then the refused ones.
    package struct Explanation: Sendable {
        /// The promise at that time: an edit of its place or time changes every verdict.
        let promise: Promise
        package let judged: [ExplainedFix]
        package let refused: [RefusedFix]
        /// Fixes with a larger error, in metres, are too inaccurate for the rule.
        package let limitMetres: Double
        /// Why there is no arrival; nil if there is one, or if nothing is known any more.
        package let noArrival: NoArrival?
        /// Why the arrival is not confirmed, and when the clock decides; nil if nothing holds it.
        package let hold: Hold?

        /// The reason that a provisional arrival waits.
        package struct Hold: Sendable {
            package let reason: ArrivalDetector.Hold
            package let decidedAt: Instant
        }

        /// How many fixes there are.
        package var count: Int { judged.count + refused.count }
    }

    /// How many explanations are kept for their next page, up to 6 MB each. One more replaces the oldest, whose next
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
    ///   - arrival: theirs; nil if there is none.
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
