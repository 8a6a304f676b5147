import Testing

@testable import PromisedTransport

/// The small parts of a loop and of a connection, in isolation.
struct LoopPartsTests {
    // MARK: - Work

    @Test func `limits a turn of work to sixteen rounds or two milliseconds`() {
        let start = ContinuousClock.now
        for (perRound, rounds) in [(0, 16), (125, 16), (199, 11), (1_000, 3), (2_000, 2), (2_001, 1)] {
            var turn = WorkTurn<Int>()
            _ = turn.begin(at: start)
            var count = 1
            while turn.mayGoOn(at: start + .microseconds(perRound * count)) { count += 1 }
            #expect(count == rounds, "\(perRound) µs each")
        }
    }

    @Test func `reuses the list of a turn`() {
        var turn = WorkTurn<Int>()
        #expect(!turn.isUnderWay)
        var list = turn.begin(at: .now)
        #expect(turn.isUnderWay && list.isEmpty)
        list.reserveCapacity(100)
        turn.end(list)
        #expect(!turn.isUnderWay)
        #expect(turn.begin(at: .now).capacity >= 100)
    }

    // MARK: - Time

    @Test func `checks a connection at its earliest timer, its only one`() throws {
        let timing = ConnectionTiming()
        let start = ContinuousClock.now
        var table = ChannelTable(thread: 0, limits: ConnectionLimits(), timing: timing)
        var timers = LoopTimers(timing, startingAt: start)
        let inserted = table.insert(at: timers.now)
        let channel = try #require(inserted)
        timers.set(for: channel)
        // The handshake has ten seconds; opened, sign-in has ten from then on.
        var seen: [Int] = []
        for tick in 1...60 {
            if tick == 12 {
                channel.deadlines.opened(at: timers.now)
                timers.set(for: channel)
            }
            if tick == 16 {
                channel.deadlines.beginClose(at: timers.now)
                timers.set(for: channel)
                timers.set(for: channel)
            }
            let due = timers.tick(at: start + .milliseconds(250 * tick), in: table)
            if !due.isEmpty { seen.append(tick) }
            for channel in due where tick == 27 { timers.set(for: channel) }
        }
        // The close has 3 s from 3.75 s on; the later timer of the handshake is irrelevant.
        #expect(seen == [27, 28])
        #expect(timers.now == LoopInstant(milliseconds: 15_000))
    }

    @Test func `does not check an ended connection`() throws {
        let timing = ConnectionTiming()
        let start = ContinuousClock.now
        var table = ChannelTable(thread: 0, limits: ConnectionLimits(), timing: timing)
        var timers = LoopTimers(timing, startingAt: start)
        let inserted = table.insert(at: timers.now)
        let channel = try #require(inserted)
        timers.set(for: channel)
        #expect(table.remove(channel) && !table.remove(channel))
        // The slot is reused: its timer differs from the previous one's.
        _ = table.insert(at: timers.now)
        for tick in 1...60 { #expect(timers.tick(at: start + .milliseconds(250 * tick), in: table).isEmpty) }
    }

    @Test func `restarts batching only after a change, and not during a long message`() {
        var coalescing = EventCoalescing(longest: .milliseconds(5))
        #expect(coalescing.tick(connections: 99) == nil)
        #expect(coalescing.tick(connections: 300) == .milliseconds(3))
        #expect(coalescing.tick(connections: 300) == nil)
        #expect(coalescing.longMessageComes() == .zero)
        #expect(coalescing.longMessageComes() == nil)
        // The first tick after it has no effect, the next one ends it.
        #expect(coalescing.tick(connections: 300) == nil)
        #expect(coalescing.tick(connections: 300) == .milliseconds(3))
    }

    // MARK: - Connections

    @Test(
        arguments: [
            (.unknown, .lost), (.here(.silent), .byThisEnd(code: 4003)), (.library(1002), .byThisEnd(code: 1002)),
            (.peer(CloseReason(code: 1001, text: "bye")), .byPeer(code: 1001, text: "bye")),
        ] as [(Ending, CloseCause)]
    )
    func `an end has its cause`(_ ending: Ending, _ cause: CloseCause) {
        #expect(ending.cause == cause)
        #expect(ending.isUnknown == (cause == .lost))
        #expect(ending.isHere == (ending.reason == .silent))
    }

    @Test func `requests a callback from the library once until it happens`() {
        var output = ChannelOutput(ConnectionLimits(), total: OutboxTotal())
        #expect(output.isClear)
        #expect(output.mustAsk() && !output.mustAsk())
        #expect(!output.isClear)
        output.hasCalledBack()
        #expect(output.isClear && output.mustAsk())
        output.putOffPing()
        #expect(output.takePing() && !output.takePing())
    }

    @Test func `allows longer messages after sign-in`() {
        var limits = ConnectionLimits()
        limits.messageBytesBeforeAdmission = 2
        var input = ChannelInput(limits)
        func add(_ count: Int) -> MessageAssembly.Outcome {
            [UInt8](repeating: 7, count: count).withUnsafeBufferPointer {
                input.add($0, remaining: 0, isFinal: true, isText: false)
            }
        }
        #expect(add(2) == .message([7, 7]))
        #expect(add(3) == .tooLarge)
        input.admit(messageBytes: 3)
        #expect(add(3) == .message([7, 7, 7]))
        #expect(add(4) == .tooLarge)
    }

    @Test func `pauses reading at the mark and resumes at half of it`() {
        var limits = ConnectionLimits()
        limits.inboundFrames = 2
        var input = ChannelInput(limits)
        #expect(!input.received(1) && input.received(1) && !input.received(1))
        #expect(input.isPaused)
        #expect(!input.processed(1) && input.processed(1))
        #expect(!input.isPaused)
    }

    @Test(arguments: [(1, 1), (32_767, 1), (32_768, 1), (32_769, 2), (100_000, 4)])
    func `writes a large answer in pieces`(_ size: Int, _ pieces: Int) {
        let answer = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        var exchange = PlainExchange()
        exchange.begin(answer)
        var written: [[UInt8]] = []
        repeat { written.append(Array(exchange.next())) } while !exchange.isDone
        #expect(written.count == pieces)
        #expect(Array(written.joined()) == answer)
    }
}
