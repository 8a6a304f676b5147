import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// The data that users see of each other, and the traces that remain (domain §3, §5).
@Suite("Privacy", .tags(.realTime), .timeLimit(.minutes(2)))
struct PrivacyTests {
    @Test(.proves("3.7"), .defends("positions-across-blocks"))
    func `a block hides both from each other at once, and its end shows them again`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea", "Cid") { people in
                let (ada, bea, cid) = (people[0], people[1], people[2])
                let id = try await ada.openPromise(with: [bea, cid], in: world)
                for person in people { _ = try await person.report(id, seq: 1, metres: 400) }
                #expect(try await bea.part(of: cid, in: id)?.hasPosition == true)
                let block = WireBlockUser.with { $0.userID = cid.id }
                #expect(await bea.refusal(.blockUser(block)) == nil)
                #expect(try await bea.part(of: cid, in: id)?.hasPosition == false)
                #expect(try await cid.part(of: bea, in: id)?.hasPosition == false)
                #expect(try await cid.part(of: bea, in: id)?.hasPresence == false)
                #expect(try await ada.part(of: bea, in: id)?.hasPosition == true)
                // Ada's next position is collected after those of the other two: a client that has received it has
                // received theirs.
                let seen = cid.received.count
                _ = try await bea.report(id, seq: 2, metres: 390)
                try await world.service.clock.sleep(until: world.now + .seconds(6))
                _ = try await ada.report(id, seq: 2, metres: 380)
                await cid.wait { events in
                    events.dropFirst(seen).contains { event in
                        event.positions.positions.contains { $0.userID == ada.id && $0.seq == 2 }
                    }
                }
                let shown = cid.received.dropFirst(seen).flatMap(\.positions.positions).map(\.userID)
                #expect(!shown.contains(bea.id))
                let nudge = WireNudge.with {
                    $0.promiseID = id
                    $0.userID = cid.id
                }
                #expect(await bea.refusal(.nudge(nudge)) == nil)
                let unblock = WireUnblockUser.with { $0.userID = cid.id }
                #expect(await bea.refusal(.unblockUser(unblock)) == nil)
                #expect(try await bea.part(of: cid, in: id)?.hasPosition == true)
                #expect(!cid.received.contains { $0.what?.name == "nudged" })
            }
        }
    }

    @Test(.proves("5.20"), .defends("positions-kept"))
    func `after the retention no file of the database contains a position`() async throws {
        let directory = NSTemporaryDirectory() + "promised-privacy-" + UUID().uuidString
        // The system removes it if this fails.
        defer { try? FileManager.default.removeItem(atPath: directory) }
        // A place with unique numbers, and fixes beside it.
        let fixes = (1...40).map { 37.123_456_789 + Double($0) * 0.000_012_345_67 }
        try await ServerWorld.with(
            directory: directory,
            rate: 60,
            configure: {
                $0.window = WindowSpans(before: .minutes(1), after: .minutes(1), settle: .seconds(1))
                $0.positionRetention = .zero
            },
            { world in
                try await world.with("Ada") { people in
                    let id = try await people[0].openPromise(with: [], in: world)
                    var report = WireReport()
                    report.promiseID = id
                    report.fixes = fixes.enumerated().map { index, latitude in
                        return WireFix.with {
                            $0.seq = UInt32(index + 1)
                            $0.latitude = latitude
                            $0.longitude = 126.987_654_321
                        }
                    }
                    #expect(try await people[0].client.report(report).taken.count == fixes.count)
                    try await world.service.clock.sleep(until: world.now + .seconds(20))
                    #expect(try Self.traces(of: fixes, in: directory) > 0)
                    await people[0].wait { $0.contains { $0.what?.isResultFinal == true } }
                    await world.service.cleanUp()
                    #expect(try Self.traces(of: fixes, in: directory) == 0)
                }
            }
        )
        #expect(try Self.traces(of: fixes, in: directory) == 0)
    }

    /// How many of the latitudes occur in the files of a folder, in any stored form.
    private static func traces(of latitudes: [Double], in directory: String) throws -> Int {
        // Copied by another process: closing a database file in this one would drop SQLite's locks on it.
        let copy = directory + "-copy-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let copying = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: ["-r", directory, copy])
        copying.waitUntilExit()
        try #require(copying.terminationStatus == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: copy).map { copy + "/" + $0 }
        let content = try files.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        return latitudes.count { latitude in
            forms(of: latitude).contains { form in content.contains { $0.range(of: Data(form)) != nil } }
        }
    }

    private static func forms(of latitude: Double) -> [[UInt8]] {
        var forms = [Array("\(latitude)".utf8), Array("\(latitude)".utf8.prefix(10))]
        withUnsafeBytes(of: latitude.bitPattern.bigEndian) { forms.append(Array($0)) }
        withUnsafeBytes(of: latitude.bitPattern.littleEndian) { forms.append(Array($0)) }
        for scale in [1e5, 1e6, 1e7] {
            let scaled = Int32((latitude * scale).rounded())
            withUnsafeBytes(of: scaled.bigEndian) { forms.append(Array($0)) }
            withUnsafeBytes(of: scaled.littleEndian) { forms.append(Array($0)) }
        }
        return forms
    }

    @Test(.proves("8.7", "statisticsChanged")) func `notifies users of changed statistics`() async throws {
        try await ServerWorld.with(
            rate: 60,
            configure: { $0.window = WindowSpans(before: .minutes(1), after: .minutes(1), settle: .seconds(1)) },
            { world in
                try await world.with("Ada", "Bea") { ada, bea in
                    let promise = try await ada.promise(with: [bea], at: world.now + .minutes(3))
                    _ = try await ada.client.subscribe(promiseID: promise.promiseID)
                    await bea.wait { $0.contains { $0.statisticsChanged.statistics.noShow == 1 } }
                    let excuse = WireExcuse.with {
                        $0.promiseID = promise.promiseID
                        $0.userID = bea.id
                        $0.reason = "Ill"
                    }
                    let result = try await ada.reply(.excuse(excuse)).expect(\.result)
                    #expect(result.rows.first { $0.user.userID == bea.id }?.outcome == .excused)
                    await bea.wait {
                        $0.last { $0.what?.name == "statisticsChanged" }?.statisticsChanged.statistics.counted == 0
                    }
                    let again = try await bea.client.getResult(promiseID: promise.promiseID)
                    #expect(again == result)
                }
            }
        )
    }

    @Test(.proves("8.7")) func `an excuse notifies of statistics without a subscription`() async throws {
        try await ServerWorld.with(
            rate: 60,
            configure: { $0.window = WindowSpans(before: .minutes(1), after: .minutes(1), settle: .seconds(1)) },
            { world in
                try await world.with("Ada", "Bea") { ada, bea in
                    let promise = try await ada.promise(with: [bea], at: world.now + .minutes(3))
                    await bea.wait { $0.contains { $0.statisticsChanged.statistics.noShow == 1 } }
                    var excuse = WireExcuse()
                    (excuse.promiseID, excuse.userID, excuse.reason) = (promise.promiseID, bea.id, "Ill")
                    #expect(await ada.refusal(.excuse(excuse)) == nil)
                    await bea.wait {
                        $0.last { $0.what?.name == "statisticsChanged" }?.statisticsChanged.statistics.counted == 0
                    }
                    // It concerns no other user, and without a subscription the excuse itself is not sent.
                    #expect(!bea.received.contains { $0.what?.name == "excused" })
                }
            }
        )
    }
}
