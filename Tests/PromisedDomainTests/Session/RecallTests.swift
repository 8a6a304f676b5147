import PromisedDomain
import PromisedTestSupport
import Testing

/// The answer to a recall may take its time; nothing is decided without it.
@Suite struct RecallTests {
    static let promise = Promise.sample()

    static func report(_ fixes: [(seq: UInt32, second: Double)], at now: Instant) -> SessionEvent {
        let phone = PhoneClock()
        let made = fixes.map { phone.wallFix(seq: $0.seq, at: .meeting + .seconds($0.second), metres: 10) }
        return .report(
            from: .user(2),
            Report(device: SessionWorld.phone, fixes: made, sent: phone.wallReading(at: now))
        )
    }

    /// A machine whose user 2 stood at the place from 600 s on, and all fixes it archived.
    static func arrived() -> (machine: SessionMachine, archive: [SettledFix]) {
        let snapshot = SessionSnapshot(promise: promise, participants: [.accepted(.user(1)), .accepted(.user(2))])
        var machine = SessionMachine(restoring: snapshot)
        _ = machine.receive(.wake, at: promise.createdAt)
        let now = Instant.meeting + .seconds(900)
        let effects = machine.receive(report([(1, 600), (2, 605), (3, 740), (4, 890)], at: now), at: now)
        return (machine, archived(effects))
    }

    static func archived(_ effects: [SessionEffect]) -> [SettledFix] {
        effects.flatMap { effect -> [SettledFix] in
            if case .archive(let fixes) = effect { fixes.map(\.fix) } else { [] }
        }
    }

    /// What is acknowledged is applied, whatever gaps the numbers have: domain §5.
    @Test func `a backlog that fills three hundred gaps is applied`() {
        var world = SessionWorld(accepted: 2)
        let even = (0..<300).map {
            PhoneClock().wallFix(seq: UInt32(2 * $0), at: .meeting + .seconds(2 * Double($0)), metres: 300)
        }
        for batch in [even.prefix(150), even.suffix(150)] { world.report(2, Array(batch), at: 600) }
        let odd = (0..<15).map {
            PhoneClock().wallFix(seq: UInt32(2 * $0 + 1), at: .meeting + .seconds(2 * Double($0) + 1), metres: 300)
        }
        let reply = world.report(2, odd.reversed(), at: 600)
        #expect(reply?.receipt?.taken == odd.reversed().map(\.seq))
        #expect(world.archive.fixes.count == 315)
        world.restart(at: .meeting + .seconds(600))
        let more = PhoneClock().wallFix(seq: 31, at: .meeting + .seconds(31), metres: 300)
        #expect(world.report(2, [more], at: 600)?.receipt?.taken == [31])
        #expect(world.archive.fixes.count == 316)
    }

    /// The mark of a moved clock stays with the device, also over a restart: domain §5.
    @Test func `a moved clock marks the fixes from then on`() {
        var world = SessionWorld(accepted: 2)
        let phones = [PhoneClock(), PhoneClock(wallLead: -.seconds(61)), PhoneClock(wallLead: -.seconds(61))]
        var marks: [Bool?] = []
        for (index, phone) in phones.enumerated() {
            if index == 2 { world.restart(at: .meeting + .seconds(9)) }
            let at = Instant.meeting + .seconds(5 * Double(index))
            let fix = phone.wallFix(seq: UInt32(index), at: at, metres: 300)
            let reply = world.report(2, [fix], at: 5 * Double(index), sent: phone.wallReading(at: at))
            marks.append(reply?.receipt?.showsMovedClock)
        }
        #expect(marks == [false, true, false])
        #expect(world.archive.fixes.map(\.fix.isClockMoved) == [false, true, true])
    }

    static let recall = SessionEffect.recall(.user(2), SessionWorld.phone)

    @Test func `one recall is asked for, however much turns up before its answer`() {
        var (machine, archive) = Self.arrived()
        var asked = 0
        for (index, second) in [500.0, 400, 300].enumerated() {
            let now = Instant.meeting + .seconds(901 + Double(index))
            let effects = machine.receive(Self.report([(UInt32(10 + index), second)], at: now), at: now)
            archive += Self.archived(effects)
            asked += effects.filter { $0 == Self.recall }.count
        }
        #expect(asked == 1)
        let now = Instant.meeting + .seconds(910)
        // The archive had read before the last two were written.
        _ = machine.receive(.recalled(.user(2), SessionWorld.phone, Array(archive.dropLast(2))), at: now)
        #expect(machine.board.first?.arrival.creditedAt == .meeting + .seconds(300))
    }

    @Test func `the result waits for a recall under way and is then dated as it should be`() {
        var (machine, archive) = Self.arrived()
        let last = Self.promise.settlesAt - .milliseconds(1)
        let effects = machine.receive(Self.report([(10, 100), (11, 105)], at: last), at: last)
        #expect(effects.contains(Self.recall))
        archive += Self.archived(effects)
        let waiting = machine.receive(.wake, at: Self.promise.settlesAt)
        #expect(machine.result == nil)
        #expect(!waiting.contains(.ended))
        let now = Self.promise.settlesAt + .seconds(2)
        let answered = machine.receive(.recalled(.user(2), SessionWorld.phone, archive), at: now)
        #expect(answered.contains(.ended))
        #expect(machine.result?.finalAt == Self.promise.settlesAt)
        #expect(machine.result?.rows.first?.creditedAt == .meeting + .seconds(100))
    }

    @Test func `an answer that nobody waits for changes nothing`() {
        var (machine, archive) = Self.arrived()
        let board = machine.board
        let now = Instant.meeting + .seconds(910)
        let strangers = machine.receive(.recalled(.user(9), SessionWorld.phone, archive), at: now)
        let unknown = machine.receive(.recalled(.user(2), DeviceKey(deviceID: "watch"), archive), at: now)
        let repeated = machine.receive(.recalled(.user(2), SessionWorld.phone, archive), at: now)
        archive.removeAll()
        #expect(machine.board == board)
        for effects in [strangers, unknown, repeated] {
            #expect(!effects.contains { if case .commit = $0 { true } else { false } })
        }
    }

    @Test func `after the end an answer is too late`() {
        var (machine, archive) = Self.arrived()
        _ = machine.receive(.wake, at: Self.promise.settlesAt)
        let result = machine.result
        let effects = machine.receive(
            .recalled(
                .user(2),
                SessionWorld.phone,
                archive + [Sight(100, 10).fix(seq: 90), Sight(105, 10).fix(seq: 91)]
            ),
            at: Self.promise.settlesAt + .seconds(1)
        )
        archive.removeAll()
        #expect(effects.isEmpty)
        #expect(machine.result == result)
    }
}
