internal import PromisedDomain
internal import PromisedOutside

/// A question for an outlook whose answer was pending.
struct OutlookQuestion: Hashable, Sendable {
    let subject: OutlookSubject
    /// The instant asked for; nil: the promise's meeting time.
    let instant: Instant?
    let userID: UserID
}

/// The questions that wait for the end of a fetch; at most ``limit``, each once.
///
/// A question is added before the weather is looked at again, so that a fetch that ends meanwhile finds it.
actor PendingOutlooks {
    /// How many questions wait. Further ones stay without an event: their users ask again.
    static let limit = 1_024

    private struct Waiting {
        let point: Coordinate
        var askers: Int
    }

    private var questions: [OutlookQuestion: Waiting] = [:]

    /// How many questions wait.
    var count: Int { questions.count }

    /// A question about a point waits.
    func add(_ question: OutlookQuestion, at point: Coordinate) {
        guard questions[question] != nil || questions.count < PendingOutlooks.limit else { return }
        questions[question] = Waiting(point: point, askers: (questions[question]?.askers ?? 0) + 1)
    }

    /// One asker of a question got the answer otherwise.
    func withdraw(_ question: OutlookQuestion) {
        guard var waiting = questions[question] else { return }
        waiting.askers -= 1
        questions[question] = waiting.askers > 0 ? waiting : nil
    }

    /// Removes the questions about a record's cell and returns them, in no order.
    func take(_ key: WeatherKey) -> [OutlookQuestion] {
        let found = questions.filter { key.source.cell(at: $0.value.point) == key.cell }.map(\.key)
        for question in found { questions[question] = nil }
        return found
    }
}
