import PromisedDomain
import PromisedTestSupport

extension SessionWorld {
    static let phone = DeviceKey(deviceID: "phone", bootID: "1")

    /// Sends a report, with the clocks of a phone that agrees with the server unless others are given.
    ///
    /// - Parameter second: when it is received, from the meeting time.
    @discardableResult
    mutating func report(
        _ user: UInt64,
        _ fixes: [Fix],
        at second: Double,
        sent: ClockReadings? = nil,
        device: DeviceKey = phone
    ) -> SessionReply? {
        let now = Instant.meeting + .seconds(second)
        let readings = sent ?? PhoneClock().wallReading(at: now)
        return send(.report(from: .user(user), Report(device: device, fixes: fixes, sent: readings)), at: now)
    }

    /// Sends each fix in a report of its own at the time of the fix; `seq` counts from `first`.
    mutating func walk(
        _ user: UInt64,
        _ way: [(second: Double, metres: Double)],
        from place: Coordinate = .meetingPlace,
        first: UInt32 = 1,
        device: DeviceKey = phone
    ) {
        for (index, step) in way.enumerated() {
            let wall = PhoneClock().wallMs(at: .meeting + .seconds(step.second))
            let fix = Fix.sample(
                seq: first + UInt32(index),
                metres: step.metres,
                from: place,
                speed: 1,
                wallMs: wall
            )
            report(user, [fix], at: step.second, device: device)
        }
    }

    /// Stays at the place for five seconds, which makes an arrival credited at the first.
    mutating func arrive(_ user: UInt64, at second: Double) {
        walk(user, [(second, 10), (second + 5, 10)])
    }

    /// Pauses a user's sharing from one second to another.
    mutating func pause(_ user: UInt64, from: Double, to: Double) {
        send(.setSharing(.user(user), on: false), at: .meeting + .seconds(from))
        send(.setSharing(.user(user), on: true), at: .meeting + .seconds(to))
    }

    /// The position shown to the others.
    func shown(_ user: UInt64, at second: Double) -> LivePosition? {
        let view = machine.view(at: .meeting + .seconds(second))
        return view.members.first { $0.participant.userID == .user(user) }?.live.position
    }

    /// Runs to the final result.
    mutating func finish() { run(to: machine.promise.settlesAt) }
}

extension SessionReply {
    /// The receipt, if this is one.
    var receipt: ReportReceipt? { if case .reported(let receipt) = self { receipt } else { nil } }

    /// The refusal, if this is one.
    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
