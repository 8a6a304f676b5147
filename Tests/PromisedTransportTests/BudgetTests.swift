import PromisedTestMarks
import Testing

@testable import PromisedTransport

/// The budgets over all connections: a thread's waiting bytes, and a server's places.
struct BudgetTests {
    // MARK: - Waiting bytes

    private static func table(_ waiting: [Int], limit: Int) throws -> ChannelTable {
        var limits = ConnectionLimits()
        limits.allOutboxBytes = limit
        var table = ChannelTable(thread: 0, limits: limits, timing: ConnectionTiming())
        for bytes in waiting {
            let inserted = table.insert(at: .start)
            let channel = try #require(inserted)
            channel.state = .open
            guard bytes > 0 else { continue }
            let frame = Outbox.Frame(Payload([UInt8](repeating: 0, count: bytes)), isText: false)
            #expect(channel.output.outbox.append(frame, as: .event) == .queued(superseded: 0))
        }
        return table
    }

    @Test func `adds queued messages up`() throws {
        let table = try Self.table([10, 0, 30, 20], limit: .max)
        #expect(table.survey() == ChannelTable.Survey(frames: 3, bytes: 60, largest: 30))
        #expect(!table.isOverfull)
    }

    @Test(
        .defends("slow-readers"),
        arguments: [
            // The limit, and the closed slots, the one with the most waiting bytes first.
            (limit: 60, closed: []), (limit: 59, closed: [2]), (limit: 34, closed: [2, 3]),
            (limit: 11, closed: [2, 3, 0]),
        ] as [(limit: Int, closed: [Int])]
    )
    func `closes the connections with the longest queues beyond the limit until an eighth is free`(
        limit: Int,
        closed: [Int]
    ) throws {
        let table = try Self.table([10, 0, 30, 20], limit: limit)
        #expect(table.isOverfull == !closed.isEmpty)
        guard table.isOverfull else { return }
        var slots: [Int] = []
        for channel in table.fullest where !table.isRelieved {
            slots.append(channel.id.slot)
            channel.output.outbox.removeAll()
        }
        #expect(slots == closed)
        #expect(table.isRelieved)
    }

    @Test func `closes only open connections`() throws {
        let table = try Self.table([10, 20], limit: 1)
        table[slot: 1]?.state = .closing
        #expect(table.fullest.map(\.id.slot) == [0])
    }

    // MARK: - Places

    private let threads = ServiceThreads(count: 1).all

    /// A server whose sources are the peers' first characters.
    private func end(places: Int, perSource: Int = .max) -> ServerEndpoint {
        var configuration = WebSocketServerConfiguration()
        configuration.unadmittedPerSource = perSource
        return ServerEndpoint(
            configuration: configuration,
            handler: RecordingHandler(sourceOfPeer: { Array($0.utf8.prefix(1)) }),
            maximumConnections: places,
            threads: threads,
            stopped: OneShotEvent()
        )
    }

    private func handshake(from source: String) -> HandshakeInfo {
        HandshakeInfo(remoteAddress: "::1", host: "test", forwardedFor: source)
    }

    /// The connections that the thread was requested to abort.
    private func cut() -> [ConnectionID] {
        var work: [ServiceThread.Work] = []
        _ = threads[0].takeWork(into: &work)
        return work.compactMap { if case .command(.cut(let id)) = $0 { id } else { nil } }
    }

    @Test func `limits connections to the number of places, and an ended one frees its place`() {
        let end = end(places: 2)
        for slot in 0..<2 {
            #expect(end.takeSocket() && end.arrive(connectionID(slot), from: "a"))
            #expect(end.admit(connectionID(slot), handshake(from: "a")) == .open)
            end.signedIn(connectionID(slot))
        }
        #expect(end.connectionCount == 2)
        #expect(end.admit(connectionID(2), handshake(from: "b")) == .full)
        end.left(connectionID(2), hadPlace: false)
        #expect(end.connectionCount == 2)
        end.left(connectionID(0), hadPlace: true)
        #expect(end.admit(connectionID(3), handshake(from: "b")) == .open)
        #expect(cut() == [])
    }

    @Test func `a new connection replaces the oldest without a sign-in`() {
        let end = end(places: 2)
        #expect(end.admit(connectionID(0), handshake(from: "a")) == .open)
        #expect(end.admit(connectionID(1), handshake(from: "a")) == .open)
        #expect(end.admit(connectionID(2), handshake(from: "b")) == .open)
        #expect(cut() == [connectionID(0)])
        // Until its end there is one connection more than places.
        #expect(end.connectionCount == 3)
        end.left(connectionID(0), hadPlace: true)
        #expect(end.connectionCount == 2)
    }

    @Test func `limits the connections of a source without a sign-in, pending and open`() {
        let end = end(places: 10, perSource: 2)
        #expect(end.arrive(connectionID(0), from: "a1") && end.arrive(connectionID(1), from: "a2"))
        #expect(!end.arrive(connectionID(2), from: "a3"))
        #expect(end.arrive(connectionID(3), from: "b"))
        #expect(end.arrive(connectionID(4), from: nil))
        // The handshake gives their real source.
        #expect(end.admit(connectionID(0), handshake(from: "p")) == .open)
        #expect(end.admit(connectionID(1), handshake(from: "p")) == .open)
        #expect(end.admit(connectionID(3), handshake(from: "p")) == .sourceFull)
        end.signedIn(connectionID(0))
        #expect(end.admit(connectionID(4), handshake(from: "p")) == .open)
        #expect(end.connectionCount == 3)
    }

    @Test func `reserves places for sockets, so that plain requests are answered at the connection limit`() {
        let end = end(places: 1)
        for _ in 0..<65 { #expect(end.takeSocket()) }
        #expect(!end.takeSocket())
        end.giveSocket()
        #expect(end.takeSocket())
    }

    @Test func `the poll loop serves fewer connections`() {
        let end = end(places: 10_000)
        end.restrictForPoll()
        for slot in 0..<2_000 {
            #expect(end.admit(connectionID(slot), handshake(from: "a")) == .open)
            end.signedIn(connectionID(slot))
        }
        #expect(end.admit(connectionID(2_000), handshake(from: "a")) == .full)
    }
}
