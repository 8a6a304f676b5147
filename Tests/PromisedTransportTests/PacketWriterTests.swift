import Testing

@testable import PromisedTransport

/// The order and packets of writes, without a socket.
struct PacketWriterTests {
    private var writer = PacketWriter()
    private let socket = FakeSocket()
    private let channel: Channel

    init() {
        var limits = ConnectionLimits()
        limits.outboxFrames = 3
        channel = Channel(
            id: connectionID(0),
            limits: limits,
            terms: Shared(DeadlineTerms(ConnectionTiming())),
            outboxTotal: OutboxTotal(),
            at: .start
        )
        channel.state = .open
        channel.deadlines.opened(at: .start)
    }

    private mutating func send(_ texts: String...) -> [PacketWriter.Outcome] {
        texts.map { writer.send(OutgoingPayload(Payload($0)), isText: true, to: channel, on: socket) }
    }

    private mutating func sendTogether(_ texts: String..., at instant: Int64? = nil) -> [PacketWriter.Outcome] {
        let outcomes = texts.map { writer.pack(OutgoingPayload(Payload($0)), isText: true, to: channel, on: socket) }
        let end = writer.finishPacket(
            for: channel,
            on: socket,
            mayPing: instant != nil,
            at: LoopInstant(milliseconds: instant ?? 0)
        )
        return outcomes + [end]
    }

    // MARK: - At once

    @Test mutating func `writes a frame at once to an empty queue`() {
        #expect(send("a", "bc") == [.done, .done])
        #expect(socket.takeEvents() == [.frame("a"), .frame("bc")])
        #expect(writer.takeTraffic() == SentTraffic(frames: 2, bytes: 3))
        #expect(writer.takeTraffic() == SentTraffic())
    }

    @Test mutating func `writes several frames in one packet`() {
        #expect(sendTogether("a", "bc") == [.done, .done, .done])
        // Two bytes of header each.
        #expect(socket.takeEvents() == [.packet(3 + 4)])
        #expect(writer.takeTraffic() == SentTraffic(frames: 2, bytes: 3))
    }

    @Test mutating func `writes messages beyond a packet's room in the next one, and oversized ones alone`() {
        let (half, huge) = (String(repeating: "h", count: 9_000), String(repeating: "x", count: 20_000))
        #expect(sendTogether(half, half, huge, "a") == Array(repeating: .done, count: 5))
        #expect(socket.takeEvents() == [.packet(9_004), .packet(9_004), .frame(huge), .packet(3)])
    }

    @Test mutating func `adds a ping to a packet and counts it as sent`() {
        #expect(channel.deadlines.mayPing(at: LoopInstant(milliseconds: 15_000)))
        #expect(sendTogether("a", at: 15_000) == [.done, .done])
        #expect(socket.takeEvents() == [.packet(3 + 3)])
        #expect(!channel.deadlines.mayPing(at: LoopInstant(milliseconds: 30_000)))
    }

    @Test mutating func `makes no packet for a single ping`() {
        #expect(sendTogether(at: 15_000) == [.done])
        #expect(socket.takeEvents() == [])
        #expect(channel.deadlines.mayPing(at: LoopInstant(milliseconds: 15_000)))
    }

    @Test(
        arguments: [
            (state: .open, isClosing: false, may: true), (state: .closing, isClosing: false, may: false),
            (state: .open, isClosing: true, may: false), (state: .connecting, isClosing: false, may: false),
        ] as [(state: Channel.State, isClosing: Bool, may: Bool)]
    )
    mutating func `writes nothing to a connection that is not open`(state: Channel.State, isClosing: Bool, may: Bool) {
        channel.state = state
        socket.isClosing = isClosing
        #expect(writer.mayPack(for: channel, on: socket) == may)
        #expect(send("a") == [.done])
        #expect(writer.takeTraffic() == (may ? SentTraffic(frames: 1, bytes: 1) : SentTraffic(discarded: 1)))
    }

    @Test mutating func `reports a broken connection once`() {
        socket.isBroken = true
        #expect(send("a") == [.failed])
        #expect(sendTogether("a") == [.done, .failed])
        let half = String(repeating: "h", count: 9_000)
        // A frame that fails with the packet before it counts as not sent.
        #expect(sendTogether(half, half) == [.done, .failed, .done])
        #expect(writer.takeTraffic().discarded == 1)
        #expect(writer.ping(channel, on: socket) == .failed)
    }

    // MARK: - Waiting

    @Test mutating func `queues frames in order after a partial write`() {
        socket.holdsRest = true
        #expect(send("a", "b") == [.queued, .queued])
        #expect(sendTogether("c") == [.queued, .done])
        // Requested once.
        #expect(socket.takeEvents() == [.asked])
        socket.holdsRest = false
        // Earlier frames go first.
        #expect(send("d") == [.overflow])
        #expect(writer.takeTraffic() == SentTraffic(discarded: 1))
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.packet(9)])
        #expect(writer.takeTraffic() == SentTraffic(frames: 3, bytes: 3))
        #expect(send("e") == [.done])
        #expect(socket.takeEvents() == [.frame("e")])
    }

    @Test mutating func `the latest state replaces the queued one`() {
        socket.holdsRest = true
        let outgoing = OutgoingPayload(Payload("p"), as: .superseding(slot: 1, lanes: 1))
        for _ in 0..<9 {
            #expect(writer.send(outgoing, isText: true, to: channel, on: socket) == .queued)
        }
        #expect(writer.takeTraffic().superseded == 8)
    }

    @Test mutating func `writes later to a full socket`() {
        let huge = String(repeating: "x", count: 20_000)
        socket.holdsRest = true
        _ = send(huge, huge)
        _ = socket.takeEvents()
        socket.isChoked = true
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.frame(huge), .asked])
        // The queue is empty, so it requests no callback.
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.frame(huge)])
    }

    @Test mutating func `a ping waits for a partial write and precedes frames`() {
        socket.holdsRest = true
        #expect(writer.ping(channel, on: socket) == .done)
        #expect(send("a") == [.queued])
        #expect(socket.takeEvents() == [.asked])
        socket.holdsRest = false
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.ping, .asked])
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.frame("a")])
        #expect(writer.ping(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.ping])
    }

    // MARK: - Closing

    @Test mutating func `writes the close frame after all queued frames`() {
        socket.holdsRest = true
        _ = send("a")
        channel.ending = .here(.normal)
        channel.state = .closing
        _ = socket.takeEvents()
        // The frame is written, but not accepted by the socket.
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [.frame("a"), .asked])
        socket.holdsRest = false
        #expect(writer.resume(channel, on: socket) == .readyToClose)
        // The writer sends no ping after a close frame.
        #expect(writer.ping(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [])
    }

    @Test mutating func `writes nothing after the library closes`() {
        socket.holdsRest = true
        _ = send("a", "b")
        _ = socket.takeEvents()
        socket.isClosing = true
        #expect(writer.resume(channel, on: socket) == .done)
        #expect(socket.takeEvents() == [])
        #expect(writer.takeTraffic() == SentTraffic(discarded: 2))
    }

    @Test mutating func `a write that fails ends the connection`() {
        socket.holdsRest = true
        _ = send("a")
        socket.isBroken = true
        #expect(writer.resume(channel, on: socket) == .failed)
    }
}
