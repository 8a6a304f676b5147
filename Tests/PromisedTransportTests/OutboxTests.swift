import PromisedTestMarks
import PromisedTransport
import Testing

struct OutboxTests {
    private func frame(_ text: String) -> Outbox.Frame { Outbox.Frame(Payload(text), isText: true) }

    private func drain(_ outbox: inout Outbox) -> [String] {
        var texts: [String] = []
        while let frame = outbox.next() { texts.append(String(decoding: frame.payload.bytes, as: UTF8.self)) }
        return texts
    }

    /// A payload put in: its text, and slot and lanes unless it is an event.
    struct Entry: Sendable {
        let text: String
        var slot: UInt64?
        var lanes: UInt64 = 0

        var delivery: Delivery { slot.map { .superseding(slot: $0, lanes: lanes) } ?? .event }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let entries: [Entry]
        let left: [String]

        init(_ name: String, _ entries: [Entry], _ left: [String]) {
            testDescription = name
            self.entries = entries
            self.left = left
        }
    }

    @Test(arguments: [
        Row("events stay in order", [Entry(text: "a"), Entry(text: "b"), Entry(text: "a")], ["a", "b", "a"]),
        Row(
            "same lanes: the latest",
            [Entry(text: "a", slot: 1, lanes: 1), Entry(text: "b", slot: 1, lanes: 1)],
            ["b"]
        ),
        Row(
            "more lanes cover fewer",
            [Entry(text: "a", slot: 1, lanes: 1), Entry(text: "b", slot: 1, lanes: 3)],
            ["b"]
        ),
        Row(
            "fewer do not cover more",
            [Entry(text: "a", slot: 1, lanes: 3), Entry(text: "b", slot: 1, lanes: 1)],
            ["a", "b"]
        ),
        Row("other lanes", [Entry(text: "a", slot: 1, lanes: 1), Entry(text: "b", slot: 1, lanes: 2)], ["a", "b"]),
        Row("other slots", [Entry(text: "a", slot: 1, lanes: 1), Entry(text: "b", slot: 2, lanes: 1)], ["a", "b"]),
        Row("no lanes are covered by any", [Entry(text: "a", slot: 1), Entry(text: "b", slot: 1, lanes: 4)], ["b"]),
        Row("events are never dropped", [Entry(text: "a"), Entry(text: "b", slot: 0, lanes: .max)], ["a", "b"]),
        Row(
            "the new one goes to the end",
            [Entry(text: "a", slot: 1, lanes: 1), Entry(text: "e"), Entry(text: "b", slot: 1, lanes: 1)],
            ["e", "b"]
        ),
        Row(
            "several are covered at once",
            [
                Entry(text: "a", slot: 1, lanes: 1), Entry(text: "b", slot: 1, lanes: 2),
                Entry(text: "c", slot: 1, lanes: 3),
            ],
            ["c"]
        ),
    ])
    func `a superseding payload replaces those of its slot whose lanes it has`(_ row: Row) {
        var outbox = Outbox(byteLimit: 1000, frameLimit: 10)
        for entry in row.entries { #expect(outbox.append(frame(entry.text), as: entry.delivery) != .overflow) }
        #expect(outbox.frameCount == row.left.count)
        #expect(outbox.byteCount == row.left.count)
        #expect(drain(&outbox) == row.left)
        #expect(outbox.isEmpty && outbox.byteCount == 0)
    }

    @Test func `reports the number of superseded payloads`() {
        var outbox = Outbox(byteLimit: 1000, frameLimit: 10)
        for lanes: UInt64 in [1, 2, 4] {
            #expect(outbox.append(frame("x"), as: .superseding(slot: 9, lanes: lanes)) == .queued(superseded: 0))
        }
        #expect(outbox.append(frame("y"), as: .superseding(slot: 9, lanes: 3)) == .queued(superseded: 2))
    }

    @Test(arguments: [(9, true), (10, true), (11, false)])
    func `limits bytes`(_ count: Int, _ fits: Bool) {
        var outbox = Outbox(byteLimit: 10, frameLimit: 100)
        let text = String(repeating: "x", count: count)
        #expect((outbox.append(frame(text), as: .event) != .overflow) == fits)
        #expect(outbox.byteCount == (fits ? count : 0))
    }

    @Test func `limits frames, and removing one makes room`() {
        var outbox = Outbox(byteLimit: 1000, frameLimit: 2)
        #expect(outbox.append(frame("a"), as: .event) == .queued(superseded: 0))
        #expect(outbox.append(frame("b"), as: .event) == .queued(superseded: 0))
        #expect(outbox.append(frame("c"), as: .event) == .overflow)
        #expect(outbox.next()?.payload.bytes == Array("a".utf8))
        #expect(outbox.append(frame("d"), as: .event) == .queued(superseded: 0))
        #expect(drain(&outbox) == ["b", "d"])
    }

    @Test func `a full outbox accepts a payload that supersedes enough`() {
        var outbox = Outbox(byteLimit: 3, frameLimit: 1)
        #expect(outbox.append(frame("abc"), as: .superseding(slot: 1, lanes: 1)) == .queued(superseded: 0))
        #expect(outbox.append(frame("def"), as: .superseding(slot: 1, lanes: 1)) == .queued(superseded: 1))
        #expect(drain(&outbox) == ["def"])
    }

    @Test(.proves("10.6")) func `knows the total of all outboxes`() {
        let total = OutboxTotal()
        var one = Outbox(byteLimit: 100, frameLimit: 10, total: total)
        var other = Outbox(byteLimit: 5, frameLimit: 10, total: total)
        _ = one.append(frame("abc"), as: .superseding(slot: 1, lanes: 1))
        _ = one.append(frame("de"), as: .event)
        _ = other.append(frame("fghi"), as: .event)
        #expect(total.bytes == 9)
        #expect(other.append(frame("jk"), as: .event) == .overflow)
        #expect(total.bytes == 9)
        _ = one.append(frame("l"), as: .superseding(slot: 1, lanes: 1))
        #expect(total.bytes == 7)
        _ = one.next()
        #expect(total.bytes == 5)
        other.removeAll()
        #expect(total.bytes == 1)
    }

    /// Random operations, compared with the simplest possible model.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `behaves like a plain list`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        var outbox = Outbox(byteLimit: 60, frameLimit: 20)
        var model: [(text: String, delivery: Delivery)] = []
        for step in 0..<5000 {
            if random.next() % 3 == 0 {
                let expected = model.isEmpty ? nil : Array(model.removeFirst().text.utf8)
                #expect(outbox.first?.payload.bytes == expected, "seed \(seed)")
                #expect(outbox.next()?.payload.bytes == expected, "seed \(seed)")
                continue
            }
            let text = String(repeating: "x", count: Int(random.next() % 6)) + String(step)
            let delivery: Delivery =
                random.next() % 2 == 0 ? .event : .superseding(slot: random.next() % 2, lanes: random.next() % 8)
            if case .superseding(let slot, let lanes) = delivery {
                model.removeAll {
                    if case .superseding(slot, let older) = $0.delivery { older & ~lanes == 0 } else { false }
                }
            }
            let bytes = model.reduce(0) { $0 + $1.text.utf8.count }
            let fits = model.count < 20 && bytes + text.utf8.count <= 60
            if fits { model.append((text, delivery)) }
            #expect((outbox.append(frame(text), as: delivery) != .overflow) == fits, "seed \(seed)")
            #expect(outbox.frameCount == model.count, "seed \(seed)")
        }
    }
}

/// A small seeded generator.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
