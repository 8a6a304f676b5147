import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite struct PositionConversionTests {
    private let device = DeviceKey(deviceID: "d", bootID: "b")

    @Test(.proves("5.5")) func `decodes an encoded fix unchanged`() {
        let full = Fix(
            seq: 17,
            coordinate: Coordinate(latitude: 1.5, longitude: -2.5),
            accuracyMetres: 0,
            speedMps: 0,
            courseDegrees: 0,
            uptimeMs: 0.25,
            wallMs: 1_795_251_600_250,
            isMock: true,
            batteryPercent: 0
        )
        let bare = Fix(seq: 18, coordinate: Coordinate(latitude: 0, longitude: 0))
        #expect(Fix(WireFix(full)) == full)
        #expect(Fix(WireFix(bare)) == bare)
        #expect(!WireFix(bare).hasAccuracyMetres)
        #expect(!WireFix(bare).hasMock)
    }

    @Test(
        arguments: [(-1, nil), (-0.1, nil), (0, 0), (55.4, 55), (99.5, 100), (100, 100), (100.1, nil), (.nan, nil)]
            as [(Double, Int?)]
    )
    func `treats a charge that is not a percentage as unknown`(percent: Double, expected: Int?) {
        #expect(Fix(.with { $0.batteryPercent = percent }).batteryPercent == expected)
    }

    @Test func `passes numbers that are not finite to the intake`() {
        let fix = Fix(
            .with {
                $0.latitude = .nan
                $0.longitude = .infinity
                $0.accuracyMetres = -1
                $0.recordedAt = Google_Protobuf_Timestamp(seconds: .max, nanos: .min)
            }
        )
        #expect(fix.coordinate.latitude.isNaN)
        #expect(fix.coordinate.longitude == .infinity)
        #expect(fix.accuracyMetres == -1)
        #expect(fix.wallMs.map { $0 > ClockReadings.limitMs } == true)
    }

    @Test(.proves("5.5"), arguments: [(0, false), (1, true), (200, true), (201, false)])
    func `a report has 1 to 200 fixes`(count: Int, isTaken: Bool) throws {
        let wire = WireReport.with { $0.fixes = Array(repeating: WireFix(), count: count) }
        if isTaken {
            #expect(try Report(wire, device: device).fixes.count == count)
        } else {
            #expect(throws: WireError.invalid(field: "fixes")) { try Report(wire, device: device) }
        }
    }

    @Test(.proves("5.5")) func `a report has the device and the sending clocks`() throws {
        let wire = WireReport.with {
            $0.fixes = [WireFix()]
            $0.uptimeMs = 0
            $0.sentAt = Google_Protobuf_Timestamp(seconds: 1, nanos: 500_000)
        }
        let sync = ClockSync(readings: ClockReadings(uptimeMs: 1), receivedAt: DomainSamples.meetsAt)
        let report = try Report(wire, device: device, syncs: [sync])
        #expect(report.device == device)
        #expect(report.sent == ClockReadings(uptimeMs: 0, wallMs: 1_001))
        #expect(report.syncs == [sync])
        #expect(try Report(.with { $0.fixes = [WireFix()] }, device: device).sent == ClockReadings())
    }

    @Test func `rejects invalid sending clocks`() {
        let uptime = WireReport.with {
            $0.fixes = [WireFix()]
            $0.uptimeMs = .nan
        }
        #expect(throws: WireError.invalid(field: "uptimeMs")) { try Report(uptime, device: device) }
        let wall = WireReport.with {
            $0.fixes = [WireFix()]
            $0.sentAt = Google_Protobuf_Timestamp(seconds: .max)
        }
        #expect(throws: WireError.invalid(field: "sentAt")) { try Report(wall, device: device) }
        #expect(throws: WireError.invalid(field: "clientTimeMs")) {
            try ClockReadings(.with { $0.clientTimeMs = -.infinity })
        }
    }

    @Test(.proves("syncClock")) func `answers a clock request with its own readings`() throws {
        let request = WireSyncClock.with { $0.uptimeMs = 0 }
        #expect(try ClockReadings(request) == ClockReadings(uptimeMs: 0))
        let reply = WireClock(
            request,
            receivedAt: DomainSamples.meetsAt,
            sentAt: DomainSamples.meetsAt + .milliseconds(1)
        )
        #expect(reply.hasUptimeMs)
        #expect(!reply.hasClientTimeMs)
        #expect(reply.receivedAt.seconds == 1_795_251_600)
        #expect(reply.sentAt.nanos == 1_000_000)
    }

    @Test(arguments: [(nil, 0), (.zero, 1), (.milliseconds(4_750), 4_750)] as [(TimeSpan?, UInt32)])
    func `a receipt has the accepted fixes and the time of the next report`(next: TimeSpan?, nextMs: UInt32) {
        let receipt = ReportReceipt(
            taken: [3, 4],
            rejected: [ReportReceipt.Rejection(seq: 5, reason: .positionInFuture)],
            nextReport: next
        )
        let wire = WireReported(receipt)
        #expect(wire.taken == [3, 4])
        #expect(wire.rejected.map(\.seq) == [5])
        #expect(wire.rejected.map(\.code) == ["position.in-future"])
        #expect(wire.nextReportMs == nextMs)
    }

    @Test func `shows a live position with its distance in decimetres`() {
        let wire = WirePosition(DomainSamples.position)
        #expect(wire.userID == DomainSamples.ada.wireText)
        #expect(wire.seq == 17)
        #expect(wire.latitude == 37.576)
        #expect(wire.longitude == 126.976_9)
        #expect(wire.accuracyMetres == 12.25)
        #expect(wire.fixTime == WireTimestamp(DomainSamples.position.fixTime))
        #expect(wire.distanceMetres == 1_234.6)
        #expect(!wire.hasEta)
    }

    @Test func `presence has its freshness, its cause and known values`() {
        let names: [Freshness: WireFreshness.Value] = [
            .live: .live, .lagging: .lagging, .stale: .stale, .lost: .lost,
        ]
        let causes: [PresenceCause: WirePresenceCause.Value] = [
            .none: .none, .offline: .offline, .noFix: .noFix, .paused: .paused, .permission: .permission,
            .lowBattery: .lowBattery,
        ]
        for freshness in Freshness.allCases {
            for cause in PresenceCause.allCases {
                let wire = WirePresence(Presence(userID: DomainSamples.ada, freshness: freshness, cause: cause))
                #expect(wire.freshness == names[freshness])
                #expect(wire.cause == causes[cause])
                #expect(!wire.hasLastSeenAt)
                #expect(!wire.hasLastMovedAt)
            }
        }
    }

    @Test func `a phone can only report its own state`() {
        let known: [WirePresenceCause.Value: PresenceCause?] = [
            .none: PresenceCause.none, .noFix: .noFix, .permission: .permission, .lowBattery: .lowBattery,
            .offline: nil, .paused: nil, .unspecified: nil, .UNRECOGNIZED(99): nil,
        ]
        for (wire, cause) in known { #expect(PresenceCause(reported: wire) == cause) }
    }
}
