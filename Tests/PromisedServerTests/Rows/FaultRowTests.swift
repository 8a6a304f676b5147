import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedServer
@testable import PromisedSettings
@testable import PromisedStore

/// The replies to failures of the server itself, which continues (docs/protocol.md#frames).
@Suite("Faults over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct FaultRowTests {
    private static let meetsAt = ServerWorld.start + .hours(2)

    @Test(.proves("server.unavailable"), arguments: WireCodec.allCases)
    func `rejects simultaneous sign-ups beyond the queue, to be repeated later`(codec: WireCodec) async throws {
        // Two passwords are hashed at once, at a cost of some dozen milliseconds, and one may wait.
        let slow: @Sendable (inout ServerSettings) -> Void = {
            $0.passwords.cost = ScryptCost(log2N: 14, blockSize: 8, parallelism: 1)
            $0.passwords.queue = 1
            // On a busy machine only the hashes take longer than the usual time for a sign-in.
            $0.connection.signIn = .minutes(2)
        }
        try await ServerWorld.with(codec: codec, configure: slow) { world in
            try await world.devices { connect in
                var devices: [Device] = []
                for _ in 1...12 { devices.append(try await connect()) }
                let errors = try await withThrowingTaskGroup { group in
                    for (number, device) in devices.enumerated() {
                        group.addTask { try await Self.error(of: device, number) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                let refused = errors.compactMap(\.self)
                #expect(refused.count >= 1 && refused.count <= 9)
                #expect(refused.allSatisfy { $0.code == "server.unavailable" && $0.retry == .later })
                #expect(refused.allSatisfy { $0.retryAfterMs == 1_000 })
                // It ends when the others are served.
                #expect(try await Self.error(of: try await connect(), 13) == nil)
            }
        }
    }

    private static func error(of device: Device, _ number: Int) async throws -> WireErrorReply? {
        let request = WireRequest.signUp(.sample("person\(number)@example.org", "Person\(number)"))
        guard case .error(let error) = try await device.call(request) else { return nil }
        return error
    }

    @Test(.proves("10.4", "server.internal"))
    func `unreadable data is an internal error only for its request`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try await ServerWorld.with(directory: directory) { world in
            try await world.with("Ada", "Bea") { people async throws in
                _ = try await people[0].promise(with: [], at: Self.meetsAt)
                _ = try await people[1].promise(with: [], at: Self.meetsAt)
            }
        }
        let store = try await Store.open(directory: directory)
        let ada = try await store.users(["Ada"])[0]
        try await store.write { db in try db.run("UPDATE promise SET rule_name = 'astrology' WHERE owner_id = ?", [ada])
        }
        try await store.close()
        let recorder = LogRecorder()
        try await ServerWorld.with(directory: directory, log: recorder.logger(level: .error)) { world in
            try await world.devices { connect in
                let list = WireListPromises.with { $0.list = .upcoming }
                let (mine, others) = (try await connect(), try await connect())
                _ = try await mine.call(.signIn(.sample("ada@example.org", "correct horse Ada")))
                _ = try await others.call(.signIn(.sample("bea@example.org", "correct horse Bea")))
                let error = try await mine.call(.listPromises(list)).expect(\.error)
                #expect(error.code == "server.internal")
                // The details are for the log, not for the client.
                let records = recorder.records
                #expect(
                    records.count == 1 && records[0].hasPrefix("A request failed")
                        && records[0].contains("listPromises")
                )
                #expect(!error.message.contains("astrology") && !error.message.contains("rule_name"))
                #expect(try await mine.refusal(.getMe(WireGetMe())) == nil)
                #expect(try await others.refusal(.listPromises(list)) == nil)
            }
        }
    }

    /// A change of a promise to this title is refused by its store.
    private static let refused = "Refused"

    @Test(arguments: WireCodec.allCases)
    func `accepts a report to a session stopped by a failed write, once`(
        codec: WireCodec
    ) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        let store = try await Store.open(directory: directory)
        try await store.write { db in
            try db.run(
                """
                CREATE TRIGGER refusal BEFORE UPDATE ON promise WHEN NEW.title = '\(Self.refused)'
                BEGIN SELECT RAISE(ABORT, 'refused'); END
                """
            )
        }
        try await store.close()
        let clock = ManualClock(now: ServerWorld.start)
        try await ServerWorld.with(directory: directory, codec: codec, clock: clock) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                let meetsAt = clock.now + .minutes(31)
                let request = WireRequest.createPromise(.sample(meetsAt: meetsAt))
                let made = try await device.call(request).expect(\.promise)
                let id = made.promise.promiseID
                #expect(try await device.refusal(.subscribe(.of(id))) == nil)
                clock.advance(by: .minutes(2))
                _ = try await device.event { $0.isTrackingStarted }
                #expect(try await device.taken(1, by: id) == [1])
                let edit = WireUpdatePromise.with {
                    $0.promiseID = id
                    $0.version = 1
                    $0.title = Self.refused
                }
                #expect(try await device.refusal(.updatePromise(edit)) == .serverUnavailable)
                #expect(try await device.taken(2, by: id) == [2])
                // The clock is stopped, so these are the last of the forty.
                for _ in 4...40 { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
                #expect(try await device.refusal(.getMe(WireGetMe())) == .limitRate)
            }
        }
    }
}

extension Device {
    /// The numbers of the accepted fixes of a report with this one.
    fileprivate func taken(_ seq: UInt32, by promiseID: String) async throws -> [UInt32] {
        let fix = WireFix.with {
            $0.seq = seq
            ($0.latitude, $0.longitude, $0.accuracyMetres) = (37.51, 127, 5)
        }
        let report = WireReport.with {
            $0.promiseID = promiseID
            $0.fixes = [fix]
        }
        guard case .reported(let reported) = try await call(.report(report)) else { throw NoReply() }
        return reported.taken
    }
}
