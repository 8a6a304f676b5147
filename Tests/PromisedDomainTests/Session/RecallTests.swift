import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The answer to a recall can be late; all decisions wait for it.
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

    /// A machine whose user 2 was at the place from 600 s on, and all its archived fixes.
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

    /// Every acknowledged fix is applied, whatever gaps the numbers have: domain §5.
    @Test(.proves("5.11")) func `applies a backlog that fills three hundred gaps`() {
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
    @Test(.proves("5.9")) func `a moved clock marks the fixes from then on`() {
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

    /// The recalls that effects ask for.
    static func recalls(_ effects: [SessionEffect]) -> [Recall] {
        effects.compactMap { if case .recall(let recall) = $0 { recall } else { nil } }
    }

    /// When effects ask to be woken.
    static func wake(_ effects: [SessionEffect]) -> Instant? {
        effects.lazy.compactMap { if case .wake(let instant) = $0 { instant } else { nil } }.last
    }

    @Test(.proves("5.27", "6.10"), arguments: [(909_999, 0), (910_000, 1), (910_001, 1)] as [(Int64, Int)])
    func `requests one recall in ten seconds, and fixes before its answer share the next`(
        milliseconds: Int64,
        second: Int
    ) throws {
        var (machine, archive) = Self.arrived()
        var asked: [Recall] = []
        for (index, late) in [500.0, 400, 300].enumerated() {
            let now = Instant.meeting + .seconds(900 + Double(index))
            let effects = machine.receive(Self.report([(UInt32(10 + index), late)], at: now), at: now)
            archive += Self.archived(effects)
            asked += Self.recalls(effects)
        }
        let recall = try #require(asked.first)
        #expect(asked.count == 1)
        // The archive had read before the last two were written.
        let answer = SessionEvent.recalled(recall, recall.judge(archive.dropLast(2)))
        let effects = machine.receive(answer, at: .meeting + .seconds(905))
        #expect(machine.board.first?.arrival.creditedAt == .meeting + .seconds(500))
        #expect(Self.recalls(effects) == [] && Self.wake(effects) == .meeting + .seconds(910))
        let now = Instant.meeting + .milliseconds(milliseconds)
        let next = Self.recalls(machine.receive(.wake, at: now))
        #expect(next.count == second)
        guard let recall = next.first else { return }
        _ = machine.receive(.recalled(recall, recall.judge(archive)), at: now)
        #expect(machine.board.first?.arrival.creditedAt == .meeting + .seconds(300))
        #expect(!machine.isAwaitingRecall(of: .user(2)))
    }

    /// The archive's answer covers two minutes back from its newest fix; the late fix is older.
    @Test(.proves("6.10"))
    func `recalls again for a fix that arrived among the held ones during the read`() throws {
        let snapshot = SessionSnapshot(
            promise: Self.promise,
            participants: [.accepted(.user(1)), .accepted(.user(2))]
        )
        var machine = SessionMachine(restoring: snapshot)
        _ = machine.receive(.wake, at: Self.promise.createdAt)
        var archive: [SettledFix] = []
        /// The recalls that a fix requests.
        func report(_ seq: UInt32, at second: Double, metres: Double, receivedAt now: Double) -> [Recall] {
            let (phone, now) = (PhoneClock(), Instant.meeting + .seconds(now))
            let fix = phone.wallFix(seq: seq, at: .meeting + .seconds(second), metres: metres)
            let report = Report(device: SessionWorld.phone, fixes: [fix], sent: phone.wallReading(at: now))
            let effects = machine.receive(.report(from: .user(2), report), at: now)
            archive += Self.archived(effects)
            return Self.recalls(effects)
        }
        _ = report(1, at: 0, metres: 300, receivedAt: 0)
        _ = report(2, at: 200, metres: 300, receivedAt: 200)
        let recall = try #require(report(3, at: -50, metres: 300, receivedAt: 201).first)
        _ = report(4, at: 330, metres: 10, receivedAt: 330)
        _ = report(5, at: 460, metres: 300, receivedAt: 460)
        let read = archive
        #expect(report(6, at: 325, metres: 10, receivedAt: 461) == [])
        let now = Instant.meeting + .seconds(462)
        let next = Self.recalls(machine.receive(.recalled(recall, recall.judge(read)), at: now))
        let again = try #require(next.first)
        #expect(machine.isAwaitingRecall(of: .user(2)))
        _ = machine.receive(.recalled(again, again.judge(archive)), at: now)
        #expect(machine.board.first?.arrival.creditedAt == .meeting + .seconds(325))
        #expect(!machine.isAwaitingRecall(of: .user(2)))
    }

    /// Of any number of invented devices, each stored one has one recall in ten seconds.
    @Test(.proves("5.27")) func `a device that replaces another waits for its first recall`() {
        var world = SessionWorld(accepted: 2)
        func reportLate(of device: Int, at second: Double) {
            let key = DeviceKey(deviceID: "phone \(device)", bootID: "1")
            for (seq, at) in [(1, second - 200), (2, second - 20), (3, second - 300)] as [(UInt32, Double)] {
                let fix = PhoneClock().wallFix(seq: seq, at: .meeting + .seconds(at), metres: 300)
                world.report(2, [fix], at: second, device: key)
            }
        }
        for device in 1...16 { reportLate(of: device, at: 400) }
        #expect(world.recalls == 16)
        for device in 17...40 { reportLate(of: device, at: 401 + 0.1 * Double(device)) }
        #expect(world.recalls == 16)
        // The last sixteen are still there.
        world.run(to: .meeting + .seconds(420))
        #expect(world.recalls == 32)
    }

    @Test(.proves("6.10")) func `the result waits for a delayed recall`() throws {
        var (machine, archive) = Self.arrived()
        let end = Self.promise.settlesAt
        var now = end - .seconds(2)
        var effects = machine.receive(Self.report([(10, 100), (11, 105)], at: now), at: now)
        archive += Self.archived(effects)
        let first = try #require(Self.recalls(effects).first)
        _ = machine.receive(.recalled(first, first.judge(archive)), at: now)
        now = end - .seconds(1)
        effects = machine.receive(Self.report([(12, 50), (13, 55)], at: now), at: now)
        archive += Self.archived(effects)
        #expect(Self.recalls(effects) == [])
        effects = machine.receive(.wake, at: end)
        #expect(machine.result == nil && Self.recalls(effects) == [])
        #expect(machine.nextRecallAt == end + .seconds(8))
        effects = machine.receive(.wake, at: end + .seconds(8))
        let second = try #require(Self.recalls(effects).first)
        #expect(machine.result == nil)
        effects = machine.receive(.recalled(second, second.judge(archive)), at: end + .seconds(9))
        #expect(effects.contains(.ended))
        #expect(machine.result?.finalAt == end)
        #expect(machine.result?.rows.first?.creditedAt == .meeting + .seconds(50))
    }

    @Test(.proves("5.24"), arguments: [(599, 599), (600, 600), (601, 600)])
    func `holds at most six hundred fixes of a device`(count: Int, held: Int) {
        var world = SessionWorld(accepted: 2)
        for start in stride(from: 0, to: count, by: 20) {
            let fixes = (start..<min(start + 20, count)).map { index in
                PhoneClock().wallFix(seq: UInt32(index), at: .meeting + .milliseconds(100 * Int64(index)), metres: 300)
            }
            world.report(2, fixes, at: Double(start) / 10 + 2)
        }
        #expect(world.machine.heldFixCount == held)
        #expect(world.archive.fixes.count == count)
    }

    @Test(.proves("5.24"), arguments: 1...40)
    func `a track with few held fixes equals one with all`(seed: Int) {
        let way = RandomWay(seed: seed)
        var track = DeviceTrack(criteria: OrderOfReceiptTests.criteria)
        var archive: [SettledFix] = []
        for fix in way.received {
            archive.append(fix)
            if track.insert([fix], holding: 12) == .needsRecall { track.rebuild(from: archive, holding: 12) }
            #expect(track.heldCount <= 12)
        }
        OrderOfReceiptTests.expectSame(track, OrderOfReceiptTests.fold(way.fixes), "seed \(seed)")
    }

    @Test func `the result waits for a pending recall and has the right date`() throws {
        var (machine, archive) = Self.arrived()
        let last = Self.promise.settlesAt - .milliseconds(1)
        let effects = machine.receive(Self.report([(10, 100), (11, 105)], at: last), at: last)
        let recall = try #require(Self.recalls(effects).first)
        archive += Self.archived(effects)
        let waiting = machine.receive(.wake, at: Self.promise.settlesAt)
        #expect(machine.result == nil)
        #expect(!waiting.contains(.ended))
        let now = Self.promise.settlesAt + .seconds(2)
        let answered = machine.receive(.recalled(recall, recall.judge(archive)), at: now)
        #expect(answered.contains(.ended))
        #expect(machine.result?.finalAt == Self.promise.settlesAt)
        #expect(machine.result?.rows.first?.creditedAt == .meeting + .seconds(100))
    }

    @Test func `an unexpected answer changes nothing`() throws {
        var (machine, archive) = Self.arrived()
        let now = Instant.meeting + .seconds(910)
        let asked = machine.receive(Self.report([(10, 100)], at: now), at: now)
        let recall = try #require(Self.recalls(asked).first)
        archive += Self.archived(asked)
        _ = machine.receive(.recalled(recall, recall.judge(archive)), at: now)
        let board = machine.board
        let more = archive + [Sight(50, 10).fix(seq: 90), Sight(55, 10).fix(seq: 91)]
        let again = machine.receive(.recalled(recall, recall.judge(more)), at: now)
        var (other, _) = Self.arrived()
        let stranger = other.receive(.recalled(recall, recall.judge(more)), at: now)
        #expect(machine.board == board && other.board.first?.arrival.creditedAt == .meeting + .seconds(600))
        for effects in [again, stranger] {
            #expect(!effects.contains { if case .commit = $0 { true } else { false } })
        }
    }

    @Test func `ignores an answer after the end`() throws {
        var (machine, archive) = Self.arrived()
        let last = Self.promise.settlesAt - .milliseconds(1)
        let asked = machine.receive(Self.report([(10, 100)], at: last), at: last)
        let recall = try #require(Self.recalls(asked).first)
        archive += Self.archived(asked)
        _ = machine.receive(.recalled(recall, recall.judge(archive)), at: last)
        _ = machine.receive(.wake, at: Self.promise.settlesAt)
        let result = machine.result
        #expect(result != nil)
        let more = archive + [Sight(50, 10).fix(seq: 90), Sight(55, 10).fix(seq: 91)]
        let late = machine.receive(.recalled(recall, recall.judge(more)), at: Self.promise.settlesAt + .seconds(1))
        #expect(late.isEmpty)
        #expect(machine.result == result)
    }
}
