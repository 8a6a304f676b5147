import PromisedTransport
import Testing

struct TableTests {
    @Test func `an id contains thread, slot and generation`() {
        let id = ConnectionID(thread: 255, slot: ConnectionID.slotLimit - 1, generation: .max)
        #expect(id.thread == 255)
        #expect(id.slot == ConnectionID.slotLimit - 1)
        #expect(id.generation == .max)
        #expect(id.rawValue == .max)
        #expect(ConnectionID(thread: 1, slot: 17, generation: 3).description == "1.17.3")
    }

    @Test func `reuses a freed slot under another id`() throws {
        var table = ConnectionTable<String>(thread: 2)
        let first = try #require(table.insert { _ in "first" })
        let other = try #require(table.insert { _ in "other" })
        #expect(table.remove(first) == "first")
        #expect(table.remove(first) == nil)
        let second = try #require(table.insert { _ in "second" })
        #expect(second.slot == first.slot)
        #expect(second != first)
        #expect(table[first] == nil)
        #expect(table[second] == "second")
        #expect(table[slot: first.slot] == "second")
        #expect(table[other] == "other")
        #expect(table.count == 2)
        #expect(Array(table.elements) == ["second", "other"])
    }

    @Test func `finds nothing for ids of other tables and unknown slots`() throws {
        var table = ConnectionTable<Int>(thread: 0)
        _ = table.insert { _ in 1 }
        #expect(table[ConnectionID(thread: 0, slot: 9, generation: 0)] == nil)
        #expect(table[slot: 9] == nil)
        #expect(table[slot: -1] == nil)
    }

    @Test func `ten thousand connections use only the largest simultaneous number of slots`() throws {
        var table = ConnectionTable<Int>(thread: 0)
        var seen: Set<ConnectionID> = []
        for round in 0..<100 {
            let ids = (0..<100).compactMap { number in table.insert { _ in round * 100 + number } }
            #expect(ids.allSatisfy { $0.slot < 100 })
            #expect(seen.isDisjoint(with: ids))
            seen.formUnion(ids)
            for id in ids { table.remove(id) }
        }
        #expect(table.count == 0)
    }

    @Test func `a budget gives its number of places, fewer when restricted`() {
        let budget = Budget(limit: 3)
        #expect([budget.take(), budget.take(), budget.take(), budget.take()] == [true, true, true, false])
        budget.give()
        #expect(budget.count == 2)
        budget.restrict(to: 2)
        #expect(!budget.take())
        budget.restrict(to: 5)
        #expect(!budget.take())
        budget.give()
        #expect(budget.take())
    }

    @Test func `a payload and its copies keep its bytes`() {
        let bytes = (0...255).map { UInt8($0) }
        let payload = Payload(bytes)
        #expect(payload.bytes == bytes)
        #expect(payload.copy().bytes == bytes)
        #expect(Payload([UInt8]()).bytes == [])
        #expect(Payload("äö").count == 4)
    }
}
