internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport

/// Judges what explanations show: one at a time, and once for all pages of an explanation.
///
/// Judging 30,000 fixes takes 60 ms of processor time. As an actor it takes one thread of the pool at most, however many
/// connections ask; and the pages after the first come from the list that was judged for it, so that no fix is told
/// twice or left out while others come in.
actor Explanations {
    /// Whose explanation of whose arrival.
    struct Subject: Hashable, Sendable {
        let connection: ConnectionID
        let promise: PromiseID
        let user: UserID
    }

    /// The fixes of a participant: those that were kept and what the rule made of them, then those that were refused.
    struct Explanation: Sendable {
        let judged: [ExplainedFix]
        let refused: [RefusedFix]

        var count: Int { judged.count + refused.count }
    }

    /// At most so many wait for their next page, about 6 MB each; beyond that the oldest is judged again.
    static let limit = 4

    private var waiting: [(subject: Subject, explanation: Explanation)] = []

    /// The explanation whose first page was shown; nil when it must be judged again.
    func known(_ subject: Subject) -> Explanation? {
        waiting.first { $0.subject == subject }?.explanation
    }

    /// Judges the fixes of a participant.
    ///
    /// - Parameter kept: all that are kept, in any order and with repeats.
    func explain(
        _ kept: [ArchivedFix],
        refused: [RefusedFix],
        of promise: Promise,
        for subject: Subject
    ) -> Explanation {
        let explanation = Explanation(judged: ExplainedFix.explain(kept, of: promise), refused: refused)
        forget(subject)
        if waiting.count == Explanations.limit { waiting.removeFirst() }
        waiting.append((subject, explanation))
        return explanation
    }

    /// Forgets an explanation whose last page was shown.
    func forget(_ subject: Subject) {
        waiting.removeAll { $0.subject == subject }
    }
}
