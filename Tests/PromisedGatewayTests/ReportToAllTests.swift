import Foundation
import Logging
import Metrics
import PromisedAccess
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedApplication
@testable import PromisedEngine
@testable import PromisedGateway
@testable import PromisedSettings
@testable import PromisedStore

/// A report without a promise is acknowledged only when every concerned promise has it (domain §5).
@Suite(.timeLimit(.minutes(1))) struct ReportToAllTests {
    /// Two promises of users 1 and 2 at the same time; the fixes are at the place of the first or the second.
    private struct World: Sendable {
        let archive = MemoryArchive()
        let clock = ManualClock(now: .meeting)
        let engine: Engine
        private let live: LiveRequests
        private let promises: [Promise]

        init(store: Store, here: Int = 0) async {
            let elsewhere = Coordinate(latitude: 10, longitude: 127)
            promises = (0...1).map { index in
                .sample(number: UInt64(index + 1), coordinate: index == here ? .meetingPlace : elsewhere)
            }
            for promise in promises {
                archive.insert(
                    SessionSnapshot(promise: promise, participants: [.accepted(.user(1)), .accepted(.user(2))])
                )
            }
            var log = Logger(label: "server-tests")
            log.logLevel = .critical
            let outbox = RecordingAnnouncer()
            engine = Engine(archive: archive, announcer: outbox, connections: outbox, clock: clock, log: log)
            let cards = UserCardCache()
            let sessions = PromiseSessions(store: store, registry: engine.registry, cards: cards)
            let throttle = ServerSettings().throttle
            var generator = SeededGenerator(seed: 1)
            let codes = CheckInCodes(SigningKey(using: &generator))
            live = LiveRequests(
                liveActions: LiveActions(
                    sessions: sessions,
                    codes: codes,
                    throttle: CodeThrottle(throttle),
                    notifications: NotificationQueue(clock: clock)
                ),
                links: ViewLinks(sessions: sessions, attempts: CodeAttempts(throttle), random: .system),
                cards: cards,
                clock: clock,
                sender: Sender(
                    MemoryOutlet(),
                    frameLimit: 262_144,
                    metrics: DeliveryMetrics(NOOPMetricsHandler.instance),
                    log: log
                )
            )
        }

        /// Runs `body` on a new, empty world.
        static func with(here: Int = 0, _ body: @Sendable (World) async throws -> Void) async throws {
            let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
            defer {
                // The directory is a temporary one: the system removes it if this fails.
                try? FileManager.default.removeItem(atPath: directory)
            }
            let store = try await Store.open(directory: directory)
            try await body(World(store: store, here: here))
            try await store.close()
        }

        /// Activates the promises with these indices.
        func load(_ indices: ClosedRange<Int>) async throws {
            for index in indices { _ = try await engine.registry.session(of: promises[index].id) }
        }

        /// User 1, without a connection.
        private var caller: Caller {
            Caller(
                userID: .user(1),
                signIn: SignInID(high: 0x7000, low: 0x8000_0000_0000_0001),
                remoteAddress: "127.0.0.1",
                device: DeviceKey(deviceID: "phone"),
                syncs: [],
                frame: FrameFormat(codec: .json, limit: 262_144),
                subscriber: nil,
                now: clock.now
            )
        }

        /// User 1 reports to all their promises that their phone has no permission.
        ///
        /// - Returns: the code of the refusal; nil if accepted.
        func reportTrouble() async -> ErrorCode? {
            var trouble = WireReportTrouble()
            trouble.cause = .permission
            do {
                _ = try await live.reportTrouble(trouble, from: caller)
                return nil
            } catch {
                return RequestError(error).code
            }
        }

        /// User 1 reports from the meeting place to all their promises.
        ///
        /// - Returns: the accepted numbers, or the code of the refusal.
        func report(_ seq: UInt32) async -> Result<[UInt32], RequestError> {
            var fix = WireFix()
            fix.seq = seq
            (fix.latitude, fix.longitude, fix.accuracyMetres) = (0, 127, 5)
            var report = WireReport()
            report.fixes = [fix]
            do {
                let answer = try await live.report(report, from: caller) { _ in }
                guard case .reply(.reported(let reported)) = answer else { return .success([]) }
                return .success(reported.taken)
            } catch {
                return .failure(RequestError(error))
            }
        }
    }

    @Test(.proves("5.26"))
    func `acknowledges no report after a restart before all promises are loaded`() async throws {
        try await World.with { world in
            try await world.load(0...0)
            guard case .failure(let error) = await world.report(1) else { return #expect(Bool(false)) }
            #expect(error.code == .serverUnavailable)
            #expect(await world.reportTrouble() == .serverUnavailable)
            _ = await world.engine.registry.noteComplete()
            #expect(try await world.report(1).get() == [1])
            #expect(await world.reportTrouble() == nil)
        }
    }

    @Test(.proves("5.26"), arguments: [0, 1])
    func `does not acknowledge a report that one promise cannot accept`(
        failing: Int
    ) async throws {
        try await World.with(here: failing) { world in
            try await world.load(0...1)
            _ = await world.engine.registry.noteComplete()
            #expect(try await world.report(1).get() == [1])
            world.clock.advance(to: .meeting + .seconds(5))
            // The commit contains the arrival at one of the two.
            world.archive.failNextCommits(1)
            guard case .failure(let error) = await world.report(2) else { return #expect(Bool(false)) }
            #expect(error.code == .serverUnavailable)
            #expect(try await world.report(2).get() == [2])
        }
    }
}
