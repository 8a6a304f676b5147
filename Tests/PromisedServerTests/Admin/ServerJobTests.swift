import PromisedApplication
import PromisedTestSupport
import Testing

@testable import PromisedServer

@Suite(.timeLimit(.minutes(1)), .tags(.realTime)) struct ServerJobTests {
    @Test func `a server runs its application's jobs and its own, each under a name of its own`() async throws {
        try await ServerWorld.with { world in
            let jobs = world.service.jobs.map { "\($0.name): \($0.scope)" }
            #expect(
                jobs.dropFirst(11) == [
                    "storage: everyNode", "integrity: everyNode", "metrics: everyNode",
                    "memory: everyNode", "requests: everyNode", "statistics: everyNode",
                ]
            )
            #expect(Set(world.service.jobs.map(\.name)).count == 17)
        }
    }
}
