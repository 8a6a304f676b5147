import PromisedConcurrency
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(1))) struct JobTests {
    @Test func `lists each job of the use cases with its scope`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let jobs = await Application.tested(over: world.store, at: world.clock).jobs
            #expect(
                jobs.map { "\($0.name): \($0.scope)" } == [
                    "sessions: owner", "positions: owner", "notifications: oneNode", "deletions: oneNode",
                    "places: everyNode", "imports: everyNode", "weather: everyNode", "weather ahead: oneNode",
                    "exports: oneNode", "recordings: oneNode", "cleaning: oneNode",
                ]
            )
        }
    }

    @Test func `runs every job until its task is cancelled`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let application = await Application.tested(over: world.store, at: world.clock)
            let ended = Signals<String>()
            await withTaskGroup { group in
                for job in application.jobs {
                    group.addTask {
                        await job.run()
                        ended.note(job.name)
                    }
                }
                // The directory is built by its job.
                await application.places.directory.firstBuild()
                // The weather is off.
                #expect(ended.all.allSatisfy { $0 == "weather ahead" })
                group.cancelAll()
            }
            #expect(Set(ended.all) == Set(application.jobs.map(\.name)))
        }
    }

    @Test func `repeats a step at once and after each pause`() async throws {
        let (pauses, steps) = (PauseClock(), Signals<Int>())
        let job = Job("count", .everyNode, every: .seconds(60), of: pauses) { steps.note(steps.all.count) }
        await withTaskGroup { group in
            group.addTask { await job.run() }
            await pauses.sleeper()
            #expect(steps.all == [0])
            pauses.advance(by: .seconds(60))
            await pauses.sleeper()
            #expect(steps.all == [0, 1])
            group.cancelAll()
        }
        #expect(steps.all == [0, 1])
    }

    @Test func `an import without a running index does not build one`() async throws {
        try await PlaceWorld.run(isStanding: false) { world in
            let application = await Application.tested(over: world.store, at: world.clock)
            await application.places.directory.showChanges()
            #expect(throws: ApplicationError.self) { try application.places.directory.standing() }
            await application.places.directory.refresh()
            #expect(throws: Never.self) { try application.places.directory.standing() }
        }
    }
}
