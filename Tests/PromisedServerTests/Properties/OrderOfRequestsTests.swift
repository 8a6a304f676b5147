import Foundation
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedSettings

/// After any order of requests of five users, their views equal those of a naive model, and the store is intact.
@Suite("Any order of requests", .timeLimit(.minutes(3)), .serialized)
struct OrderOfRequestsTests {
    @Test(.proves("3.3", "4.13"), arguments: Seeds.of(1...5))
    func `answers each request like the model`(seed: UInt64) async throws {
        try await Self.withServer { server in
            var maker = StepMaker(seed: seed)
            var run = ModelRun(server: server, seed: seed)
            for count in 1...200 {
                try await run.take(maker.step(after: run.model))
                if count % 50 == 0 { try await run.compareSights() }
            }
            try await run.finish()
        }
    }

    @Test(.proves("3.3", "4.13"), arguments: Seeds.of(11...13))
    func `concurrent requests are linearizable`(seed: UInt64) async throws {
        try await Self.withServer { server in
            var maker = StepMaker(seed: seed)
            var run = ConcurrentRun(server: server, seed: seed)
            for _ in 1...40 { try await run.takeAtOnce(maker.batch(after: run.model)) }
        }
    }

    /// Runs `body` against a server with five users, then checks its store.
    static func withServer(_ body: @Sendable (ModelledServer) async throws -> Void) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let clock = ManualClock(now: ServerWorld.start)
        try await ServerWorld.with(directory: directory, clock: clock, configure: unlimited) { world in
            try await world.with("Ada", "Bea", "Cid", "Dan", "Eve") { people async throws in
                try await body(ModelledServer(people: people, clock: clock))
            }
        }
        let store = try await Store.open(directory: directory)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    /// The clock stops between requests, so budgets are not refilled, and jumps by days.
    private static let unlimited: @Sendable (inout ServerSettings) -> Void = { configuration in
        configuration.limits.requestBurst = 1_000_000
        configuration.throttle.wrongCodes = 1_000_000
        configuration.throttle.find = 1_000_000
        configuration.tokens.access = .days(1_000)
    }
}
