import PromisedConcurrency
import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite struct CallTableTests {
    /// A table with a timeout of 15 s, and the outcomes of its calls.
    private struct World: ~Copyable {
        var table: CallTable
        private let outcomes = Guarded<[UInt32: [CallTable.Outcome]]>([:])

        init(lastID: UInt32 = 0) {
            table = CallTable(patience: .seconds(15), lastID: lastID)
        }

        /// The outcomes by id; a call that ended twice occurs twice.
        var ended: [UInt32: [CallTable.Outcome]] { outcomes.withLock { $0 } }

        /// Creates a call at a second, sent or offline.
        mutating func call(at second: Int = 0, sent: Bool = true, for subscription: Subscription? = nil) -> UInt32 {
            let id = table.nextID()
            let end: @Sendable (CallTable.Outcome) -> Void = { [outcomes] outcome in
                outcomes.withLock { $0[id, default: []].append(outcome) }
            }
            if sent {
                table.awaitReply(id, at: .seconds(second), for: subscription, end: end)
            } else {
                table.awaitConnection(id, at: .seconds(second), end: end)
            }
            return id
        }
    }

    @Test func `ids increase, wrap around after the largest, and are never 0`() {
        var table = CallTable(patience: .seconds(15))
        #expect([table.nextID(), table.nextID()] == [1, 2])
        table = CallTable(patience: .seconds(15), lastID: .max - 1)
        #expect([table.nextID(), table.nextID()] == [.max, 1])
    }

    @Test func `a reply removes its call once, with its subscription`() {
        var world = World()
        let subscription = Subscription(promiseID: "p", number: 1, connection: 1, request: WireSubscribe())
        let (plain, subscribing) = (world.call(), world.call(for: subscription))
        #expect(world.table.takeAnswered(subscribing)?.subscription == subscription)
        let call = world.table.takeAnswered(plain)
        #expect(call?.subscription == nil)
        call?.end(.success(.done(WireDone())))
        let isThereAgain = world.table.takeAnswered(plain) != nil
        #expect(!isThereAgain)
        world.table.endAll(.closed)
        #expect(world.ended == [plain: [.success(.done(WireDone()))]])
    }

    @Test func `a reply does not complete a call that waits for a connection`() {
        var world = World()
        let id = world.call(sent: false)
        let isAnswered = world.table.takeAnswered(id) != nil
        #expect(!isAnswered)
        world.table.connected()
        world.table.connected()
        #expect(world.ended == [id: [.success(.done(WireDone()))]])
    }

    /// The ended calls: of a sent one and one that waits for a connection, both made at 0 s.
    @Test(
        arguments: [
            ("connected", [nil, .success(.done(WireDone()))]),
            ("lost", [.failure(.disconnected), nil]),
            ("closed", [.failure(.closed), .failure(.closed)]),
            ("sent call cancelled", [.failure(.cancelled), nil]),
            ("waiting call cancelled", [nil, .failure(.cancelled)]),
            ("14.999 s", [nil, nil]),
            ("15 s", [.failure(.timedOut), .failure(.timedOut)]),
        ] as [(String, [CallTable.Outcome?])]
    )
    func `an event ends the calls that it concerns once`(_ name: String, _ expected: [CallTable.Outcome?]) {
        var world = World()
        let ids = [world.call(), world.call(sent: false)]
        for _ in 1...2 {
            switch name {
            case "connected": world.table.connected()
            case "lost": world.table.endSent(.disconnected)
            case "closed": world.table.endAll(.closed)
            case "sent call cancelled": world.table.end(ids[0], .cancelled)
            case "waiting call cancelled": world.table.end(ids[1], .cancelled)
            case "14.999 s": world.table.expire(at: .milliseconds(14_999))
            default: world.table.expire(at: .seconds(15))
            }
        }
        for (id, outcome) in zip(ids, expected) { #expect(world.ended[id] == outcome.map { [$0] }) }
    }

    @Test func `checks calls when the first expires, at most every 10 ms`() {
        var world = World()
        // Without calls: a new one ends no earlier.
        #expect(world.table.nextExpiry(at: .seconds(100)) == .seconds(115))
        _ = world.call(at: 101)
        _ = world.call(at: 102, sent: false)
        #expect(world.table.nextExpiry(at: .seconds(103)) == .seconds(116))
        #expect(world.table.nextExpiry(at: .seconds(116)) == .milliseconds(116_010))
        world.table.expire(at: .seconds(116))
        #expect(world.table.nextExpiry(at: .seconds(116)) == .seconds(117))
    }
}
