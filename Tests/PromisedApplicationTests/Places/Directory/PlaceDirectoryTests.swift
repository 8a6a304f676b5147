import Dispatch
import Foundation
import Logging
import PromisedDomain
import PromisedPlaces
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct PlaceDirectoryTests {
    @Test func `queries are unavailable until the directory is ready`() async throws {
        try await PlaceWorld.run([.sample("광장시장")], isStanding: false) { world in
            await #expect(throws: ApplicationError.self) { try await world.places.listCategories() }
            await #expect(throws: ApplicationError.self) {
                try await world.places.view(.seoul, zoom: 10, for: .user(1))
            }
            #expect(world.directory.version == nil)
            #expect(world.directory.opening(of: PlaceID(high: 0, low: 1), at: world.clock.now) == nil)
        }
    }

    @Test func `a wait for the first index ends when it is ready`() async throws {
        try await PlaceWorld.run([.sample("A")], isStanding: false) { world in
            let directory = world.directory
            let waits = (0..<3).map { _ in
                Task.immediate { () -> Int? in
                    await directory.firstBuild()
                    return directory.version
                }
            }
            let building = Task { await directory.run() }
            for wait in waits { #expect(await wait.value != nil) }
            await directory.firstBuild()
            let view = try await world.places.view(.seoul, zoom: 20, for: .user(1))
            #expect(view.total == 1)
            building.cancel()
            await building.value
        }
    }

    @Test func `a cancelled wait for the first index ends, the others continue`() async throws {
        try await PlaceWorld.run([.sample("A")], isStanding: false) { world in
            let directory = world.directory
            let cancelled = Task.immediate { await directory.firstBuild() }
            let other = Task.immediate { () -> Int? in
                await directory.firstBuild()
                return directory.version
            }
            cancelled.cancel()
            await cancelled.value
            #expect(directory.version == nil)
            let building = Task { await directory.run() }
            #expect(await other.value != nil)
            building.cancel()
            await building.value
        }
    }

    @Test func `a wait for the first index ends when it cannot be built`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "promised-places-\(UUID())").path
        // A test that failed to create it has nothing to remove.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await Store.open(directory: folder)
        try await store.close()
        let metrics = CountingMetrics()
        let directory = PlaceDirectory(
            store: store,
            openings: PlaceOpenings(zones: TimeZones(around: PlaceWorld.noon), defaultZone: "UTC", holidays: .empty),
            metrics: PlaceMetrics(metrics),
            log: LogRecorder().logger(level: .debug),
            pauses: PauseClock()
        )
        let wait = Task.immediate { await directory.firstBuild() }
        let building = Task { await directory.run() }
        await wait.value
        #expect(directory.version == nil)
        #expect(metrics.sum("promised_place_index_failures_total") == 1)
        building.cancel()
        await building.value
    }

    @Test func `a wait for the first index ends when the directory is stopped before`() async throws {
        try await PlaceWorld.run([.sample("A")], isStanding: false) { world in
            let directory = world.directory
            let wait = Task.immediate { await directory.firstBuild() }
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask { await directory.run() }
            }
            await wait.value
            #expect(directory.version == nil)
        }
    }

    @Test func `an empty directory is ready`() async throws {
        try await PlaceWorld.run { world in
            let view = try await world.places.view(.world, zoom: 0, for: .user(1))
            #expect(view.total == 0 && view.cards.isEmpty && view.sources.isEmpty)
        }
    }

    @Test func `indexes a change after the pause, not before`() async throws {
        try await PlaceWorld.run([.sample("A")]) { world in
            try await world.importRows([.sample("B")])
            #expect(try await world.places.view(.seoul, zoom: 20, for: .user(1)).total == 1)
            world.pauses.advance(by: PlaceDirectory.interval - .nanoseconds(1))
            #expect(world.pauses.hasSleeper)
            world.pauses.advance(by: .nanoseconds(1))
            await world.pauses.sleeper()
            #expect(try await world.places.view(.seoul, zoom: 20, for: .user(1)).total == 2)
            #expect(try await world.store.places.directoryVersion() == world.directory.version)
        }
    }

    @Test func `indexes the changes of a pause together`() async throws {
        try await PlaceWorld.run { world in
            for name in ["A", "B", "C"] { try await world.importRows([.sample(name)]) }
            await world.rebuild()
            #expect(try await world.places.view(.seoul, zoom: 20, for: .user(1)).total == 3)
            // No build is pending: the next pause follows only the next change.
            world.pauses.advance()
            try await world.importRows([.sample("D")])
            await world.pauses.sleeper()
            #expect(try await world.places.view(.seoul, zoom: 20, for: .user(1)).total == 4)
        }
    }

    @Test func `a query continues with its first index`() async throws {
        try await PlaceWorld.run([.sample("A")]) { world in
            let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let held = world.directory.ask(.view) { state in
                begun.signal()
                gate.wait()
                return state.index.count
            }
            await WorkQueueTests.wait(for: begun)
            try await world.importRows([.sample("B")])
            await world.rebuild()
            #expect(world.directory.version == (try await world.store.places.directoryVersion()))
            gate.signal()
            #expect(try await held == 1)
            let count = try await world.directory.ask(.view) { $0.index.count }
            #expect(count == 2)
        }
    }

    @Test func `finds the opening of a place without a query`() async throws {
        try await PlaceWorld.run([.sample("A", hours: "Mo 09:00-18:00"), .sample("B")]) { world in
            let (a, b) = (try await world.id("A"), try await world.id("B"))
            let now = world.clock.now
            let outlook = try #require(world.directory.opening(of: a, at: now))
            #expect(outlook.state == .open && outlook.closesAt == now + .hours(6))
            let evening = try #require(world.directory.opening(of: a, at: now + .hours(6)))
            #expect(evening.state == .closed && evening.opensAt == now + .days(7) - .hours(3))
            #expect(world.directory.opening(of: b, at: now) == nil)
            #expect(world.directory.opening(of: PlaceID(high: 1, low: 1), at: now) == nil)
        }
    }

    @Test func `counts queries, builds and imports`() async throws {
        try await PlaceWorld.run([.sample("A"), .sample("")]) { world in
            _ = try await world.places.search("A", limit: 1, for: .user(1))
            _ = try await world.places.view(.seoul, zoom: 5, for: .user(1))
            let metrics = world.metrics
            #expect(metrics.sum("promised_place_queries_total search ok") == 1)
            #expect(metrics.sum("promised_place_queries_total view ok") == 1)
            #expect(metrics.sum("promised_place_queries_total nearby ok") == 0)
            #expect(metrics.count("promised_place_query_duration_seconds search") == 1)
            #expect(metrics.sum("promised_place_index_places") == 1)
            #expect(metrics.sum("promised_place_index_bytes") > 0)
            #expect(metrics.count("promised_place_index_build_seconds") == 1)
            #expect(metrics.sum("promised_place_imports_total finished") == 1)
            #expect(metrics.sum("promised_place_import_rows_total added") == 1)
            #expect(metrics.sum("promised_place_import_rows_total refused") == 1)
        }
        try await PlaceWorld.run(isStanding: false) { world in
            await #expect(throws: ApplicationError.self) { try await world.places.view(.seoul, zoom: 5, for: .user(1)) }
            #expect(world.metrics.sum("promised_place_queries_total view unavailable") == 1)
        }
    }
}
