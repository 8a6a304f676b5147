import PromisedProtocol
import Testing

@testable import PromisedClient

@Suite struct FeedMachineTests {
    @Test func `repeated failures lengthen the wait, up to half a minute`() throws {
        var machine = FeedMachine(mark: FeedMark(epoch: "e", seq: 1))
        var now = Duration.zero
        var waits: [Duration] = []
        for _ in 1...8 {
            _ = machine.ask(for: "p")
            // The request gets no answer.
            machine.postpone(by: .zero, at: now)
            let next = try #require(machine.askAt)
            waits.append(next - now)
            now = next
        }
        #expect(waits == [0, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        _ = machine.ask(for: "p")
        var reply = WireSubscribed(epoch: "e", seq: 1)
        reply.snapshot.promiseID = "p"
        _ = try machine.answered(reply, at: now)
        #expect(machine.phase == .live)
        // After a successful request, the next gap is requested at once.
        _ = machine.heard(WireEvent("p", seq: 3), at: now)
        #expect(machine.askAt == now)
    }

    @Test func `a request that needs another connection waits for it`() {
        var machine = FeedMachine(mark: nil)
        _ = machine.ask(for: "p")
        machine.waitForNextConnection()
        #expect(machine.askAt == nil)
        machine.connectionReady()
        #expect(machine.askAt == .zero)
    }

    @Test func `requests events again if too many arrive before the reply`() throws {
        var machine = FeedMachine(mark: nil)
        _ = machine.ask(for: "p")
        let limit = UInt32(FeedMachine.heldLimit)
        for seq in 1...limit + 5 { _ = machine.heard(WireEvent("p", seq: seq), at: .zero) }
        var reply = WireSubscribed(epoch: "e", seq: 0)
        reply.snapshot.promiseID = "p"
        #expect(try machine.answered(reply, at: .zero).count == Int(limit) + 1)
        #expect(machine.heard(WireEvent("p", seq: limit + 6), at: .zero).isEmpty)
        #expect(machine.askAt != nil)
        #expect(machine.ask(for: "p").lastSeq == limit)
    }

    /// A server with a log, a network that loses, repeats and reorders events and cuts connections, and a reader that
    /// must receive each event once and in order, with gaps only at snapshots.
    // proves: 9.8
    @Test(arguments: 0..<2_000 as Range<UInt64>)
    func `no network fault makes a feed miss, repeat or reorder an event`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var machine = FeedMachine(mark: nil)
        var told: [FeedNotice] = []
        var logged: UInt32 = 0
        for step in 0..<200 {
            let now = Duration.seconds(step * 60)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: machine.connectionLost()
            case 1, 2:
                if machine.askAt.map({ $0 <= now }) ?? false {
                    let request = machine.ask(for: "p")
                    let isCut = Int.random(in: 0..<4, using: &generator) == 0
                    // An event that overtakes the reply.
                    if logged > 0 { told += machine.heard(WireEvent("p", seq: logged), at: now) }
                    if !isCut {
                        told += try machine.answered(answer(to: request, logged, using: &generator), at: now)
                    }
                }
            case 3: told += machine.heard(WireEvent("p", seq: .random(in: 0...logged + 1, using: &generator)), at: now)
            default:
                logged += 1
                if Int.random(in: 0..<5, using: &generator) > 0 {
                    told += machine.heard(WireEvent("p", seq: logged), at: now)
                }
            }
            if case .asking = machine.phase { machine.connectionLost() }
        }
        check(told, upTo: logged + 1, seed: seed)
    }

    private func answer(
        to request: WireSubscribe,
        _ logged: UInt32,
        using generator: inout SeededGenerator
    ) -> WireSubscribed {
        var reply = WireSubscribed(epoch: "e", seq: logged)
        if !request.hasLastSeq || request.lastSeq > logged || Int.random(in: 0..<6, using: &generator) == 0 {
            reply.snapshot.promiseID = "p"
        } else if request.lastSeq < logged {
            reply.missed = (request.lastSeq + 1...logged).map { WireEvent("p", seq: $0) }
        }
        return reply
    }

    private func check(_ told: [FeedNotice], upTo last: UInt32, seed: UInt64) {
        var seen: UInt32?
        for notice in told {
            switch notice {
            case .snapshot(_, let mark): seen = mark.seq
            case .event(let event, let mark) where event.seq == 0: #expect(mark.seq == seen, "seed \(seed)")
            case .event(let event, let mark):
                #expect(event.seq == (seen ?? .max) &+ 1, "seed \(seed)")
                #expect(mark.seq == event.seq, "seed \(seed)")
                seen = event.seq
            }
        }
        #expect((seen ?? 0) <= last, "seed \(seed)")
    }
}
