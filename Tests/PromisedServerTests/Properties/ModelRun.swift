import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import Testing

/// Performs steps sequentially, in the model and on the server, and compares.
struct ModelRun {
    /// Ends a run at its first difference, which has been recorded.
    struct Differs: Error {}

    private let server: ModelledServer
    private let seed: UInt64
    private(set) var model: Model
    private var taken: [Step] = []

    init(server: ModelledServer, seed: UInt64) {
        self.server = server
        self.seed = seed
        model = server.model
    }

    /// Performs a step, a millisecond after the previous one.
    mutating func take(_ step: Step) async throws {
        taken.append(step)
        server.clock.advance(by: .milliseconds(1))
        model.now += 1
        let expected = model.take(step)
        let outcome = try await server.take(step)
        try require(outcome == expected, "\(outcome) is not \(expected)")
    }

    /// Compares the views of all existing users.
    func compareSights() async throws {
        for user in model.alive {
            let sight = try await server.sight(of: user, promises: model.promises.keys.sorted())
            let expected = model.sight(of: user)
            try require(sight == expected, "\(ModelledServer.names[user]) sees \(sight) instead of \(expected)")
        }
    }

    /// Lets all promises end: each that was not cancelled has one result, with a row for each participant.
    mutating func finish() async throws {
        let last = model.promises.values.map(\.settlesAt).max() ?? model.now
        try await take(.wait(milliseconds: max(0, last - model.now)))
        try await compareSights()
        for promise in model.promises.values where !promise.isCancelled {
            guard let id = server.promiseID(promise.number) else { throw Differs() }
            // All may have deleted their accounts since its end: then no user can query it.
            guard let user = model.alive.first(where: { promise.membership(of: $0) == .accepted }) else { continue }
            let witness = server.people[user]
            await witness.wait { $0.contains { $0.promiseID == id && $0.what?.isResultFinal == true } }
            let rows = try await witness.client.getResult(promiseID: id).rows
            let users = Set(try rows.map { try server.number(ofUser: $0.user.userID) })
            try require(users.count == rows.count, "somebody has two rows in \(promise.number)")
            try require(users == Set(promise.members.map(\.user).filter(promise.tookPart)), "rows of \(promise.number)")
        }
    }

    private func require(_ holds: Bool, _ complaint: String) throws {
        guard !holds else { return }
        let steps = taken.suffix(25).map { "  \($0)" }.joined(separator: "\n")
        Issue.record("PROMISED_SEED=\(seed), step \(taken.count): \(complaint). The last steps:\n\(steps)")
        throw Differs()
    }
}
