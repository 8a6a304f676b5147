import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import Testing

/// Performs several steps at the same time on the server, and searches for an order in which the model has the same
/// outcome.
struct ConcurrentRun {
    private let server: ModelledServer
    private let seed: UInt64
    /// All possible states of the server: the visible results do not always determine the order of the steps.
    private var models: [Model]
    private var taken: [[Step]] = []

    init(server: ModelledServer, seed: UInt64) {
        self.server = server
        self.seed = seed
        models = [server.model]
    }

    /// One of the models that agree with all results so far.
    var model: Model { models[0] }

    /// Performs steps of different users at the same time, a millisecond after the previous ones.
    mutating func takeAtOnce(_ steps: [Step]) async throws {
        taken.append(steps)
        server.clock.advance(by: .milliseconds(1))
        for index in models.indices { models[index].now += 1 }
        let outcomes = try await outcomes(of: steps)
        let agreeing = ConcurrentRun.orders(of: Array(steps.indices)).flatMap { order in
            models.compactMap { ConcurrentRun.take(steps, in: order, from: $0, agreeingWith: outcomes) }
        }
        try require(!agreeing.isEmpty, "no order of the steps gives \(outcomes)")
        models = Array(Set(agreeing))
        let sights = try await sights()
        let wrong = sights.filter { $0.value != model.sight(of: $0.key) }
        models.removeAll { model in sights.contains { $0.value != model.sight(of: $0.key) } }
        try require(!models.isEmpty, "in no order of the steps they see \(wrong)")
    }

    /// The server's outcomes of concurrent steps.
    private func outcomes(of steps: [Step]) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (index, step) in steps.enumerated() {
                group.addTask { [server] in (index, try await server.take(step)) }
            }
            var outcomes: [Int: Outcome] = [:]
            for try await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func sights() async throws -> [Int: Sight] {
        let numbers = Set(models.flatMap { $0.promises.keys }).filter { server.promiseID($0) != nil }.sorted()
        return try await withThrowingTaskGroup(of: (Int, Sight).self) { group in
            for user in model.alive {
                group.addTask { [server] in (user, try await server.sight(of: user, promises: numbers)) }
            }
            var sights: [Int: Sight] = [:]
            for try await (user, sight) in group { sights[user] = sight }
            return sights
        }
    }

    private static func take(
        _ steps: [Step],
        in order: [Int],
        from model: Model,
        agreeingWith outcomes: [Outcome]
    ) -> Model? {
        var model = model
        for index in order where !model.take(steps[index]).agrees(with: outcomes[index]) { return nil }
        return model
    }

    private static func orders(of items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { first in orders(of: items.filter { $0 != first }).map { [first] + $0 } }
    }

    private func require(_ holds: Bool, _ complaint: String) throws {
        guard !holds else { return }
        let steps = taken.suffix(8).map { "  \($0)" }.joined(separator: "\n")
        Issue.record("PROMISED_SEED=\(seed), batch \(taken.count): \(complaint). The last batches:\n\(steps)")
        throw ModelRun.Differs()
    }
}
