import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings
@testable import PromisedStore

/// Promises with only a deleted account are unreadable at once, and erased from all files within a minute.
@Suite("Traces of deleted accounts over a connection", .tags(.realTime), .timeLimit(.minutes(3)))
struct TraceConversationTests {
    private static let place = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)
    private static let texts = [
        "A title nobody finds", "A note nobody finds", "A pier nobody finds", "Street of nobody",
    ]

    private static var traces: [Data] {
        let numbers = [place.latitude, place.longitude].map { degrees in
            withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Data($0) }
        }
        return texts.map { Data($0.utf8) } + numbers
    }

    private static let short: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.requestBurst = 100_000
        ($0.window.after, $0.window.settle) = (.minutes(2), .seconds(1))
        $0.positionRetention = .zero
    }

    /// Fills the texts and the place of a requested promise.
    private static func hide(_ request: inout WireCreatePromise) {
        (request.title, request.note) = (texts[0], texts[1])
        request.place = WirePlace(Place(name: texts[2], address: texts[3], coordinate: place))
    }

    private static func files(below directory: String, with trace: Data) throws -> [String] {
        try FileConversationTests.paths(below: directory, with: trace)
    }

    @Test func `deletes texts, place and device of a final promise with its last reader`() async throws {
        try await ServerWorld.withShortLead(configure: Self.short) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world, change: Self.hide)
                for person in [ada, bea] {
                    let report = WireReport.one(id, at: Self.place)
                    _ = try await person.client.report(report)
                    _ = try await person.client.checkIn(promiseID: id)
                }
                for person in [ada, bea] { await person.hears { $0.isResultFinal } }
                let device = Data("phone of Ada".utf8)
                for trace in Self.traces { #expect(try Self.files(below: world.directory, with: trace) != []) }
                try await ada.deleteAccount()
                await world.service.cleanUp()
                #expect(try Self.files(below: world.directory, with: device) == [])
                // Bea still reads it.
                #expect(try await bea.see(id).title == Self.texts[0])
                try await bea.deleteAccount()
                try await world.administered { admin, _ async throws in
                    guard case .promise(let reply) = try await admin.admin(.showPromise(.of(id))) else {
                        throw Device.NoReply()
                    }
                    #expect(reply.promise.title == "" && reply.promise.note == "" && !reply.promise.hasPlace)
                    #expect(reply.promise.participants.map(\.user.deleted) == [true, true])
                }
                await world.service.cleanUp()
                for trace in Self.traces {
                    #expect(try Self.files(below: world.directory, with: trace) == [], "\(trace)")
                }
            }
        }
    }

    @Test func `deletes an owner's single promise despite its live session`() async throws {
        try await ServerWorld.withShortLead(configure: Self.short) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let id = try await ada.openPromise(with: [], in: world, change: Self.hide)
                try await ada.deleteAccount()
                try await world.administered { admin, _ async throws in
                    guard case .promise(let reply) = try await admin.admin(.showPromise(.of(id))) else {
                        throw Device.NoReply()
                    }
                    #expect(reply.promise.status == .cancelled && reply.promise.title == "" && !reply.promise.hasPlace)
                }
                await world.service.cleanUp()
                for trace in Self.traces {
                    #expect(try Self.files(below: world.directory, with: trace) == [], "\(trace)")
                }
            }
        }
    }

    @Test(.proves("2.22"))
    func `a server killed during a deletion erases the rest after its start`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        let killed = directory + "-killed"
        defer {
            // The directories are temporary ones: the system removes them if this fails.
            for path in [directory, killed] { try? FileManager.default.removeItem(atPath: path) }
        }
        try await ServerWorld.with(directory: directory) { world in
            try await world.with("Ada") { people async throws in
                for number in 0..<8 {
                    let meetsAt = ServerWorld.start + .hours(2 + 4 * Int64(number))
                    var request = WireCreatePromise.sample(meetsAt: meetsAt)
                    Self.hide(&request)
                    _ = try await people[0].client.createPromise(request)
                }
                _ = try await people[0].upload(.picture)
            }
        }
        let store = try await Store.open(directory: directory)
        let ada = try #require(try await store.accounts.user(nicknameKey: "ada")).id
        try await store.write { db in
            try db.run(
                """
                WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
                INSERT INTO idempotency_key (owner_id, key, kind, subject_id, content_hash, created_at)
                SELECT ?, 'nobody finds ' || n, 'promise', zeroblob(16), x'00', ? FROM number
                """,
                [ada, ServerWorld.start]
            )
        }
        _ = try #require(
            try await store.deletions.beginDeletion(of: ada, at: ServerWorld.start, subjectKey: { _ in [] })
        )
        _ = try await store.deletions.eraseBelongings(of: ada)
        // The files as left by a killed server, including the log.
        try FileManager.default.copyItem(atPath: directory, toPath: killed)
        for trace in Self.traces { #expect(try Self.files(below: killed, with: trace) != []) }
        try await store.close()
        let busy: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 100_000 }
        let later = ServerWorld.start + .hours(1)
        try await ServerWorld.with(directory: killed, start: later, configure: busy) { world in
            try await world.administered { admin, _ async throws in
                // The server erases without a notification; a check lists the remains.
                while true {
                    guard case .verification(let found) = try await admin.admin(.verify(.init())) else {
                        throw Device.NoReply()
                    }
                    #expect(found.breaches == [])
                    if found.erasing.isEmpty { break }
                    #expect(found.erasing.map(\.id) == [ada.description])
                }
            }
            await world.service.cleanUp()
            for trace in Self.traces + [Data("nobody finds 1".utf8), UploadSample.picture.bytes.suffix(40)] {
                #expect(try Self.files(below: killed, with: trace) == [], "\(trace)")
            }
        }
    }
}

extension WireReport {
    /// A report of one fix at a place.
    fileprivate static func one(_ promiseID: String, at place: Coordinate) -> WireReport {
        var report = WireReport.one(promiseID)
        (report.fixes[0].latitude, report.fixes[0].longitude) = (place.latitude, place.longitude)
        return report
    }
}
