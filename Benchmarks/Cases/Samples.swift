internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedTestSupport
internal import PromisedWire

/// The sample that all cases measure: a promise of ten people on their way.
enum Samples {
    static let device = DeviceKey(deviceID: "phone", bootID: "boot")
    static let promise = Promise.sample()
    static let opening = promise.opensAt

    /// The position of a phone that walks towards the place, at its report `seq`.
    static func report(_ seq: UInt32) -> Report {
        let fix = Fix.sample(
            seq: seq,
            metres: max(3, 1_500 - 7 * Double(seq)),
            accuracy: 8,
            speed: 1.4,
            uptimeMs: Double(seq) * 5_000
        )
        return Report(device: device, fixes: [fix], sent: ClockReadings(uptimeMs: Double(seq) * 5_000))
    }

    static var reportFrame: WireClientFrame {
        var report = WireReport()
        report.promiseID = promise.id.description
        report.fixes = [WireFix(Fix.sample(seq: 1_234, metres: 700, accuracy: 8, speed: 1.4, uptimeMs: 6_170_000))]
        report.uptimeMs = 6_170_000
        return WireClientFrame(id: 0, request: .report(report))
    }

    static let positions = (1...10 as ClosedRange<UInt64>).map { number in
        LivePosition(
            userID: .user(number),
            seq: 1_234,
            coordinate: Coordinate.meetingPlace.north(Double(number) * 97),
            accuracyMetres: 8,
            fixTime: .meeting,
            distanceMetres: Double(number) * 97,
            lane: 0
        )
    }

    static let positionsFrame = PositionsFrame(
        positions: positions,
        of: promise.id,
        nextReport: .seconds(5),
        at: .meeting
    )

    /// The session of ten people who have accepted, its window open.
    static func machine() -> SessionMachine {
        let people = (1...10 as ClosedRange<UInt64>).map { Participant.accepted(.user($0)) }
        var machine = SessionMachine(restoring: SessionSnapshot(promise: promise, participants: people))
        _ = machine.receive(.wake, at: opening)
        return machine
    }
}
