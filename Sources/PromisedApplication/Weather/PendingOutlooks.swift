internal import PromisedDomain
internal import PromisedOutside
internal import PromisedPlaces

/// A request for an outlook that is still pending.
struct OutlookQuestion: Hashable, Sendable {
    let subject: OutlookSubject
    /// nil for the promise's meeting time.
    let instant: Instant?
    let userID: UserID
}

/// Questions that wait for the end of a fetch; at most ``limit``, each once.
///
/// A question is added before the weather is queried again, so that a fetch that ends meanwhile finds it.
actor PendingOutlooks {
    /// The most waiting questions. Further ones get no event: their users must ask again.
    static let limit = 1_024

    private struct Waiting {
        let point: Coordinate
        var askers: Int
    }

    private var questions: [OutlookQuestion: Waiting] = [:]

    var count: Int { questions.count }

    /// Adds a question about a point.
    func add(_ question: OutlookQuestion, at point: Coordinate) {
        guard questions[question] != nil || questions.count < PendingOutlooks.limit else { return }
        questions[question] = Waiting(point: point, askers: (questions[question]?.askers ?? 0) + 1)
    }

    /// Withdraws one use of a question that was answered otherwise.
    func withdraw(_ question: OutlookQuestion) {
        guard var waiting = questions[question] else { return }
        waiting.askers -= 1
        questions[question] = waiting.askers > 0 ? waiting : nil
    }

    /// Removes and returns the questions about a record's cell, in no particular order.
    func take(_ key: WeatherKey) -> [OutlookQuestion] {
        let found = questions.filter { key.source.cell(at: $0.value.point) == key.cell }.map(\.key)
        for question in found { questions[question] = nil }
        return found
    }
}
