import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct EvidenceCheckTests {
    private static let promise = Promise.sample()
    private static let device = DeviceKey(deviceID: "phone", bootID: "1")

    /// A walk into the circle and a stay there.
    private static func fixes(of device: DeviceKey) -> [ArchivedFix] {
        [200, 100, 40, 20, 10, 10, 10].enumerated().map { number, metres in
            let time = Instant.meeting + .seconds(Double(number) * 5)
            let fix = SettledFix.sample(seq: UInt32(number + 1), at: time, metres: metres, speed: 1.4)
            return ArchivedFix(userID: .user(1), device: device, fix: fix)
        }
    }

    private static func snapshot(fixes: [ArchivedFix], creditedAt: Instant?) -> SessionSnapshot {
        var track = DeviceTrack(criteria: ArrivalCriteria(promise))
        track.rebuild(from: Self.fixes(of: device).map(\.fix), holding: 100)
        let evidence = track.arrival(at: promise.settlesAt).map { found in
            ArrivalEvidence(
                device: device,
                clause: found.clause,
                provisionalAt: found.provisionalAt,
                confirmedAt: found.confirmedAt,
                firstInside: found.firstInside,
                lastOutside: found.lastOutside,
                fixCount: found.fixCount,
                strongCount: found.strongCount
            )
        }
        let arrival = creditedAt.map { instant in
            Arrival(stage: .confirmed, creditedAt: instant, source: .gps, evidence: evidence)
        }
        return SessionSnapshot(
            promise: promise,
            participants: [.accepted(.user(1))],
            arrivals: arrival.map { [.user(1): $0] } ?? [:],
            fixes: fixes
        )
    }

    private static var credited: Instant {
        get throws {
            var track = DeviceTrack(criteria: ArrivalCriteria(promise))
            track.rebuild(from: fixes(of: device).map(\.fix), holding: 100)
            return try #require(track.arrival(at: promise.settlesAt)).creditedAt
        }
    }

    @Test func `accepts an arrival derived from its device's fixes`() throws {
        try EvidenceCheck.check(Self.snapshot(fixes: Self.fixes(of: Self.device), creditedAt: Self.credited))
        try EvidenceCheck.check(Self.snapshot(fixes: [], creditedAt: nil))
    }

    @Test(.proves("18.3"))
    func `finds an arrival without fixes, with another device's, or at another time`() throws {
        let other = DeviceKey(deviceID: "tablet", bootID: "1")
        for fixes in [[], Self.fixes(of: other)] {
            #expect(throws: Violation.self) {
                try EvidenceCheck.check(Self.snapshot(fixes: fixes, creditedAt: Self.credited))
            }
        }
        #expect(throws: Violation.self) {
            let late = try Self.credited + .milliseconds(1)
            try EvidenceCheck.check(Self.snapshot(fixes: Self.fixes(of: Self.device), creditedAt: late))
        }
    }

    @Test func `finds fixes that make a missing arrival`() {
        #expect(throws: Violation.self) {
            try EvidenceCheck.check(Self.snapshot(fixes: Self.fixes(of: Self.device), creditedAt: nil))
        }
    }
}
