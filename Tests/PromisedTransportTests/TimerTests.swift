import PromisedTransport
import Testing

struct TimerTests {
    private func at(_ milliseconds: Int64) -> LoopInstant { LoopInstant(milliseconds: milliseconds) }

    // MARK: - Wheel

    @Test func `a timer fires once, with the first step at or after its instant`() {
        var wheel = TimerWheel<Int>(resolution: .milliseconds(10), slotCount: 8)
        wheel.schedule(1, at: at(30))
        wheel.schedule(2, at: at(31))
        #expect(wheel.advance(to: at(29)) == [])
        #expect(wheel.advance(to: at(30)) == [1])
        #expect(wheel.advance(to: at(39)) == [])
        #expect(wheel.advance(to: at(40)) == [2])
        #expect(wheel.advance(to: at(1000)) == [])
        #expect(wheel.count == 0)
    }

    @Test func `a timer beyond the wheel's round waits for its own round`() {
        var wheel = TimerWheel<Int>(resolution: .milliseconds(10), slotCount: 4)
        wheel.schedule(1, at: at(100))
        for step: Int64 in 1..<10 { #expect(wheel.advance(to: at(step * 10)) == []) }
        #expect(wheel.advance(to: at(100)) == [1])
    }

    @Test func `a timer in the past fires with the next step`() {
        var wheel = TimerWheel<Int>(resolution: .milliseconds(10), slotCount: 4)
        #expect(wheel.advance(to: at(500)) == [])
        wheel.schedule(1, at: at(20))
        #expect(wheel.advance(to: at(500)) == [])
        #expect(wheel.advance(to: at(510)) == [1])
    }

    @Test func `a jump over many rounds fires exactly the due timers, in order`() {
        var wheel = TimerWheel<Int>(resolution: .milliseconds(1), slotCount: 16)
        for instant in [90, 10, 300, 5, 101] { wheel.schedule(instant, at: at(Int64(instant))) }
        #expect(wheel.advance(to: at(100)) == [5, 10, 90])
        #expect(wheel.advance(to: at(299)) == [101])
        #expect(wheel.advance(to: at(300)) == [300])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `many timers fire like a sorted list`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var wheel = TimerWheel<Int64>(resolution: .milliseconds(7), slotCount: 32)
        var waiting: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<2000 {
            let instant = now + 1 + Int64(random.next() % 600)
            waiting.append(instant)
            wheel.schedule(instant, at: at(instant))
            now += Int64(random.next() % 20)
            let fired = wheel.advance(to: at(now))
            let step = now / 7
            let expected = waiting.filter { ($0 + 6) / 7 <= step }
            // A timer scheduled for a past step fires with the next.
            #expect(Set(fired).isSubset(of: Set(expected)), "seed \(seed)")
            #expect(fired.map { ($0 + 6) / 7 } == fired.map { ($0 + 6) / 7 }.sorted(), "seed \(seed)")
            for instant in fired { if let index = waiting.firstIndex(of: instant) { waiting.remove(at: index) } }
            #expect(waiting.allSatisfy { ($0 + 6) / 7 >= step }, "seed \(seed)")
        }
        #expect(wheel.count == waiting.count)
    }

    // MARK: - Clock

    @Test func `limits a stall to the longest step, and time is monotonic`() {
        let start = ContinuousClock.now
        var clock = LoopClock(startingAt: start, longestStep: .seconds(1))
        clock.tick(at: start + .milliseconds(300))
        #expect(clock.now == at(300))
        clock.tick(at: start + .seconds(100))
        #expect(clock.now == at(1300))
        clock.tick(at: start + .seconds(99))
        #expect(clock.now == at(1300))
        clock.tick(at: start + .seconds(99) + .milliseconds(5))
        #expect(clock.now == at(1305))
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.milliseconds(1), 1), (.microseconds(1), 1), (.microseconds(1001), 2),
            (.seconds(3), 3000),
            (.seconds(-3), 0),
        ] as [(Duration, Int64)]
    )
    func `a duration has whole milliseconds, rounded up`(_ duration: Duration, _ milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }

    // MARK: - Gathering

    @Test(arguments: [(0, 0), (99, 0), (100, 1), (250, 2), (499, 4), (500, 5), (19_000, 5)])
    func `more connections batch events longer, up to a bound`(_ connections: Int, _ milliseconds: Int) {
        let rule = EventCoalescing(longest: .milliseconds(5))
        #expect(rule.span(connections: connections) == .milliseconds(milliseconds))
    }

    // MARK: - Deadlines

    private func opened(_ timing: ConnectionTiming = ConnectionTiming()) -> Deadlines {
        var deadlines = Deadlines(terms: Shared(DeadlineTerms(timing)), at: .start)
        deadlines.opened(at: .start)
        return deadlines
    }

    @Test func `limits a handshake to ten seconds`() {
        var deadlines = Deadlines(terms: Shared(DeadlineTerms(ConnectionTiming())), at: at(500))
        #expect(deadlines.next == at(10500))
        #expect(deadlines.verdict(at: at(10499)) == nil)
        #expect(deadlines.verdict(at: at(10500)) == .cut)
    }

    @Test func `closes a connection without a sign-in after ten seconds`() {
        var deadlines = opened()
        #expect(deadlines.next == at(10000))
        #expect(deadlines.verdict(at: at(9999)) == nil)
        #expect(deadlines.verdict(at: at(10000)) == .notAdmitted)
        deadlines.admitted()
        #expect(deadlines.verdict(at: at(10000)) == nil)
        #expect(deadlines.next == at(20000))
    }

    @Test func `a ping is due every twenty seconds, and closes a peer silent for forty-five`() {
        var deadlines = opened()
        deadlines.admitted()
        #expect(deadlines.verdict(at: at(19999)) == nil)
        #expect(deadlines.verdict(at: at(20000)) == .ping)
        #expect(deadlines.verdict(at: at(20000)) == nil)
        #expect(deadlines.next == at(40000))
        #expect(deadlines.verdict(at: at(40000)) == .ping)
        #expect(deadlines.verdict(at: at(44999)) == nil)
        #expect(deadlines.verdict(at: at(45000)) == .silent)
    }

    @Test func `sends a ping with other data in the last quarter of its interval`() {
        var deadlines = opened()
        deadlines.admitted()
        #expect(!deadlines.mayPing(at: at(14_999)))
        #expect(deadlines.mayPing(at: at(15_000)))
        deadlines.pinged(at: at(15_000))
        // It counts from the next check of the deadlines, a quarter of a second later.
        #expect(deadlines.verdict(at: at(35_249)) == nil)
        #expect(!deadlines.mayPing(at: at(30_249)))
        #expect(deadlines.mayPing(at: at(30_250)))
        #expect(deadlines.verdict(at: at(35_250)) == .ping)
        #expect(!deadlines.mayPing(at: at(50_249)))
        #expect(deadlines.mayPing(at: at(50_250)))
    }

    @Test func `sends one ping in twenty seconds with data sent every five`() {
        var deadlines = opened()
        deadlines.admitted()
        var along: [Int64] = []
        // The last tick is at any time up to a quarter of a second before the data.
        for tick in stride(from: Int64(0), through: 200_000, by: 250) {
            deadlines.heard(at: at(tick))
            #expect(deadlines.verdict(at: at(tick)) == nil)
            guard tick % 5_000 == 2_000, deadlines.mayPing(at: at(tick)) else { continue }
            deadlines.pinged(at: at(tick))
            along.append(tick)
        }
        #expect(along == Array(stride(from: 17_000, through: 200_000, by: 20_000)))
    }

    @Test func `sends no early ping with a short interval or silence`() {
        var brief = ConnectionTiming()
        brief.ping = .milliseconds(999)
        #expect(!opened(brief).mayPing(at: at(998)))
        brief.ping = .seconds(1)
        #expect(opened(brief).mayPing(at: at(750)))
        brief.silence = .milliseconds(1_749)
        #expect(!opened(brief).mayPing(at: at(999)))
    }

    @Test func `sends no early ping to a connection that is not open, or without pings`() {
        var connecting = Deadlines(terms: Shared(DeadlineTerms(ConnectionTiming())), at: .start)
        #expect(!connecting.mayPing(at: at(100_000)))
        connecting.opened(at: at(0))
        connecting.beginClose(at: at(1_000))
        #expect(!connecting.mayPing(at: at(100_000)))
        #expect(!opened(.client).mayPing(at: at(100_000)))
    }

    @Test func `a connection with traffic is not silent`() {
        var deadlines = opened()
        deadlines.admitted()
        deadlines.heard(at: at(30000))
        #expect(deadlines.verdict(at: at(45000)) == .ping)
        #expect(deadlines.verdict(at: at(74999)) == .ping)
        #expect(deadlines.verdict(at: at(75000)) == .silent)
    }

    @Test func `suspends silence while reading is paused, and then restarts its time`() {
        var deadlines = opened()
        deadlines.admitted()
        deadlines.setMessageIncomplete(true, at: at(1000))
        deadlines.setReadingPaused(true, at: at(2000))
        #expect(deadlines.verdict(at: at(100_000)) == .ping)
        #expect(deadlines.verdict(at: at(100_001)) == nil)
        deadlines.setReadingPaused(false, at: at(100_002))
        #expect(deadlines.verdict(at: at(110_000)) == nil)
        #expect(deadlines.verdict(at: at(130_002)) == .messageTooSlow)
    }

    @Test func `limits a message to thirty seconds from its first piece`() {
        var deadlines = opened()
        deadlines.admitted()
        deadlines.setMessageIncomplete(true, at: at(1000))
        deadlines.setMessageIncomplete(true, at: at(25000))
        deadlines.heard(at: at(30999))
        #expect(deadlines.verdict(at: at(30999)) == .ping)
        #expect(deadlines.verdict(at: at(31000)) == .messageTooSlow)
        deadlines.setMessageIncomplete(false, at: at(31000))
        #expect(deadlines.verdict(at: at(31000)) == nil)
    }

    @Test func `closing and responding have their own deadlines, and closing starts once`() {
        var deadlines = opened()
        deadlines.beginClose(at: at(5000))
        deadlines.beginClose(at: at(7000))
        #expect(deadlines.verdict(at: at(7999)) == nil)
        #expect(deadlines.verdict(at: at(8000)) == .cut)
        var responding = Deadlines(terms: Shared(DeadlineTerms(ConnectionTiming())), at: .start)
        responding.beginResponse(at: at(1000))
        #expect(responding.next == at(31000))
    }

    @Test func `aborts an abandoned connection at once, and again until it has ended`() {
        var deadlines = opened()
        deadlines.giveUp(at: at(5000))
        deadlines.beginClose(at: at(5100))
        #expect(deadlines.next == at(5000))
        #expect(deadlines.verdict(at: at(5000)) == .cut)
        #expect(deadlines.verdict(at: at(5250)) == .cut)
    }

    @Test func `an abandoned connection stays abandoned when its handshake or a request ends`() {
        var deadlines = Deadlines(terms: Shared(DeadlineTerms(ConnectionTiming())), at: .start)
        deadlines.giveUp(at: at(5000))
        deadlines.opened(at: at(5100))
        #expect(deadlines.verdict(at: at(5100)) == .cut)
        deadlines.beginResponse(at: at(5200))
        #expect(deadlines.verdict(at: at(5200)) == .cut)
    }

    // MARK: - A silent peer without pings by the clock

    @Test(
        arguments: [
            (0, nil), (22_499, nil), (22_500, .ping), (22_501, .ping), (44_999, .ping), (45_000, .silent),
            (45_001, .silent),
        ] as [(Int64, Deadlines.Verdict?)]
    )
    func `a client pings halfway through a silence and gives up at its end`(
        _ milliseconds: Int64,
        _ verdict: Deadlines.Verdict?
    ) {
        var deadlines = opened(.client)
        #expect(deadlines.next == at(22_500))
        #expect(deadlines.verdict(at: at(milliseconds)) == verdict)
    }

    @Test func `a client pings once in a silence and has no sign-in deadline`() {
        var deadlines = opened(.client)
        #expect(deadlines.verdict(at: at(22_500)) == .ping)
        #expect(deadlines.next == at(45_000))
        #expect(deadlines.verdict(at: at(22_750)) == nil)
        #expect(deadlines.verdict(at: at(44_999)) == nil)
        #expect(deadlines.verdict(at: at(45_000)) == .silent)
    }

    @Test(
        arguments: [
            // Data before a ping is due postpones it.
            (heard: [22_499], asked: [44_999], silent: 67_499),
            // The answer is received at once, or just in time: each silence starts over.
            (heard: [22_500, 45_000], asked: [22_500, 45_000, 67_500], silent: 90_000),
            (heard: [44_999], asked: [22_500, 67_499], silent: 89_999),
            // Never pings an active peer.
            (heard: Set(stride(from: 5_000, through: 200_000, by: 5_000)), asked: [222_500], silent: 245_000),
        ] as [(heard: Set<Int64>, asked: [Int64], silent: Int64)]
    )
    func `traffic postpones the ping and the end`(heard: Set<Int64>, asked: [Int64], silent: Int64) {
        var deadlines = opened(.client)
        var pings: [Int64] = []
        var now: Int64 = -1
        var isSilent = false
        while !isSilent {
            now += 1
            switch deadlines.verdict(at: at(now)) {
            case .ping: pings.append(now)
            case .silent: isSilent = true
            case nil: break
            case let other?:
                Issue.record("\(other) at \(now)")
                return
            }
            if heard.contains(now) { deadlines.heard(at: at(now)) }
        }
        #expect(pings == asked)
        #expect(now == silent)
    }

    @Test(
        arguments: [
            // A ping by the clock is sent to active peers as well.
            (ping: 20_000, silence: 45_000, heardAt: 19_000, due: 20_000),
            (ping: 20_000, silence: nil, heardAt: 19_000, due: 20_000),
            (ping: nil, silence: 45_000, heardAt: 19_000, due: 41_500),
            (ping: nil, silence: 2, heardAt: 19_000, due: 19_001),
            (ping: nil, silence: 3, heardAt: 19_000, due: 19_002),
            // No pings are needed without a limit of silence.
            (ping: nil, silence: nil, heardAt: 19_000, due: nil),
        ] as [(ping: Int64?, silence: Int64?, heardAt: Int64, due: Int64?)]
    )
    func `each end pings by its settings`(ping: Int64?, silence: Int64?, heardAt: Int64, due: Int64?) {
        for end in [ConnectionTiming(), .client] {
            var timing = end
            timing.ping = ping.map { .milliseconds($0) }
            timing.silence = silence.map { .milliseconds($0) }
            var deadlines = opened(timing)
            deadlines.admitted()
            deadlines.heard(at: at(heardAt))
            #expect(deadlines.next == due.map { at($0) })
            guard let due else { continue }
            #expect(deadlines.verdict(at: at(due - 1)) == nil)
            #expect(deadlines.verdict(at: at(due)) == .ping)
        }
    }

    @Test func `does not ping while reading is paused, and then restarts the silence`() {
        var deadlines = opened(.client)
        deadlines.setReadingPaused(true, at: at(1_000))
        #expect(deadlines.next == nil)
        #expect(deadlines.verdict(at: at(100_000)) == nil)
        deadlines.setReadingPaused(false, at: at(100_000))
        #expect(deadlines.next == at(122_500))
        #expect(deadlines.verdict(at: at(122_499)) == nil)
        #expect(deadlines.verdict(at: at(122_500)) == .ping)
        #expect(deadlines.verdict(at: at(144_999)) == nil)
        #expect(deadlines.verdict(at: at(145_000)) == .silent)
    }

    @Test func `adds no ping to a client's data`() {
        var deadlines = opened(.client)
        #expect(!deadlines.mayPing(at: at(22_499)))
        #expect(deadlines.verdict(at: at(22_500)) == .ping)
        #expect(!deadlines.mayPing(at: at(44_999)))
    }
}
