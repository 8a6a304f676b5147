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
