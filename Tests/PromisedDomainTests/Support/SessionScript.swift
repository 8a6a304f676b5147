import PromisedDomain
import PromisedSimulation
import PromisedTestSupport

/// All possible events of a promise, by seed, in order of time.
///
/// Seven users: user 1 owns, 2–4 accepted, 5 and 6 are invited, 7 is a stranger. Their phones report by
/// ``RandomWay``, some near the ends of the window; in between they answer, leave, pause, connect, disconnect and
/// check in.
struct SessionScript {
    struct Step: Sendable {
        var at: Instant
        var event: SessionEvent
    }

    let promise: Promise
    let participants: [Participant]
    /// In order of time.
    let steps: [Step]

    init(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let rule = ArrivalRule(name: Int.random(in: 0..<6, using: &generator) == 0 ? .firstFix : .robust)
        promise = Promise.sample(rule: rule, spans: WindowSpans(after: .minutes(40), settle: .minutes(5)))
        participants = (1...4).map { .accepted(.user($0)) } + [.invited(.user(5)), .invited(.user(6))]
        var made: [Step] = []
        for user in 1...7 as ClosedRange<UInt64> {
            for device in 0..<Int.random(in: 1...2, using: &generator) {
                made += SessionScript.reports(of: user, device: device, promise: promise, using: &generator)
            }
        }
        for _ in 0..<15 { made.append(SessionScript.act(promise, using: &generator)) }
        steps = made.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    private static func reports(
        of user: UInt64,
        device: Int,
        promise: Promise,
        using generator: inout SeededGenerator
    ) -> [Step] {
        let way = RandomWay(seed: Int(generator.next() >> 33), count: 40)
        let edges = [promise.opensAt, promise.meetsAt, promise.meetsAt, promise.meetsAt, promise.closesAt]
        let shift = (edges.randomElement(using: &generator) ?? promise.meetsAt) - .meeting
        // If a phone is faster than this, an old backlog is indistinguishable from fixes by satellite time after a
        // restart.
        let phone = PhoneClock(wallLead: .milliseconds(.random(in: -900_000...15_000, using: &generator)))
        return way.received.map { seen in
            let received = seen.receivedAt + shift
            var fix = phone.wallFix(seq: seen.seq, at: seen.time + shift)
            fix.coordinate = seen.coordinate
            fix.accuracyMetres = seen.accuracyMetres
            fix.speedMps = seen.speedMps
            let report = Report(
                device: DeviceKey(deviceID: "device \(device)"),
                fixes: [fix],
                sent: phone.wallReading(at: received)
            )
            return Step(at: received, event: .report(from: .user(user), report))
        }
    }

    private static func act(_ promise: Promise, using generator: inout SeededGenerator) -> Step {
        let user = UserID.user(.random(in: 1...7, using: &generator))
        let span = (promise.settlesAt + .minutes(5)).milliseconds - promise.createdAt.milliseconds
        let at = promise.createdAt + .milliseconds(.random(in: 0...span, using: &generator))
        let event: SessionEvent =
            switch Int.random(in: 0..<19, using: &generator) {
            case 0...3: .respond(user, accept: true)
            case 4: .respond(user, accept: false)
            case 5...6: .leave(user)
            case 7...8: .setSharing(user, on: false)
            case 9...11: .setSharing(user, on: true)
            case 12: .checkIn(user, .myself)
            case 13: .excuse(user, by: .user(1), reason: "ill")
            case 14: Int.random(in: 0..<3, using: &generator) == 0 ? .cancel(by: .user(1), reason: "") : .wake
            case 15...16: .connection(user, isOnline: true)
            case 17: .connection(user, isOnline: false)
            default: .wake
            }
        return Step(at: at, event: event)
    }
}
