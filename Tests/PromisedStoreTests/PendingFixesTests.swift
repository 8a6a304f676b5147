import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// The fixes that are not durable yet, without a buffer.
struct PendingFixesTests {
    private static let one = Promise.sample(number: 1).id
    private static let two = Promise.sample(number: 2).id
    private var pending = PendingFixes(capacity: 5)

    private func fix(_ seq: UInt32) -> ArchivedFix {
        .sample(.sample(seq: seq, at: .meeting + .seconds(Double(seq)), metres: Double(seq)))
    }

    private func fixes(_ numbers: ClosedRange<UInt32>) -> [ArchivedFix] { numbers.map { fix($0) } }

    /// The numbers of all pending fixes of a promise.
    private func numbers(of promise: PromiseID) -> [UInt32] {
        pending.fixes(of: promise).map(\.fix.seq).sorted()
    }

    @Test mutating func `finds fixes in every state`() {
        pending.add(fixes(1...1), to: Self.one)
        #expect(pending.beginWrite() == [Self.one: fixes(1...1)])
        pending.add(fixes(2...2), to: Self.one)
        #expect(pending.take(Self.one) == fixes(2...2))
        pending.add(fixes(3...3), to: Self.one)
        #expect(numbers(of: Self.one) == [1, 2, 3])
        #expect(numbers(of: Self.two) == [])
        #expect(pending.isWriting && pending.isWriting(Self.one) == true && pending.isWriting(Self.two) == false)
        pending.endWrite(hasFailed: false)
        #expect(numbers(of: Self.one) == [2, 3])
        pending.written(Self.one)
        #expect(numbers(of: Self.one) == [3])
        #expect(pending.count == 1 && !pending.isWriting)
    }

    @Test mutating func `writes nothing without pending fixes`() {
        #expect(pending.beginWrite() == nil)
        pending.add([], to: Self.one)
        #expect(pending.beginWrite() == nil && !pending.isWriting)
    }

    @Test(.proves("4.20")) mutating func `a write of one promise leaves those of others pending`() {
        pending.add(fixes(1...2), to: Self.one)
        pending.add(fixes(3...3), to: Self.two)
        #expect(pending.isWaiting(Self.one) && pending.beginWrite(of: Self.one) == [Self.one: fixes(1...2)])
        #expect(pending.isWriting(Self.one) && !pending.isWriting(Self.two))
        #expect(!pending.isWaiting(Self.one) && pending.isWaiting(Self.two) && pending.waitingCount == 1)
        pending.endWrite(hasFailed: true)
        #expect(pending.waitingCount == 3)
        #expect(pending.beginWrite(of: PromiseID(high: 9, low: 9)) == nil && !pending.isWriting)
    }

    @Test mutating func `a failed write keeps the fixes of a simultaneous commit`() {
        pending.add(fixes(1...1), to: Self.one)
        let taken = pending.take(Self.one)
        pending.add(fixes(2...2), to: Self.one)
        _ = pending.beginWrite()
        pending.endWrite(hasFailed: true)
        #expect(numbers(of: Self.one) == [1, 2])
        pending.putBack(taken, to: Self.one)
        #expect(pending.take(Self.one) == fixes(1...2))
    }

    @Test func `drops in steps of one in 64 beyond a large capacity`() {
        var pending = PendingFixes(capacity: 128)
        for _ in 1...130 { pending.add(fixes(1...1), to: Self.one) }
        #expect(pending.waitingCount == 130 && pending.droppedCount == 0)
        pending.add(fixes(1...1), to: Self.one)
        #expect(pending.waitingCount == 128 && pending.droppedCount == 3)
    }

    @Test mutating func `a failed write returns its fixes before later ones`() {
        pending.add(fixes(1...2), to: Self.one)
        _ = pending.beginWrite()
        pending.add(fixes(3...3), to: Self.one)
        #expect(pending.count == 3 && pending.waitingCount == 1)
        pending.endWrite(hasFailed: true)
        #expect(pending.waitingCount == 3)
        #expect(pending.beginWrite() == [Self.one: fixes(1...3)])
    }

    @Test mutating func `a failed commit returns its fixes before later ones`() {
        pending.add(fixes(1...2), to: Self.one)
        let taken = pending.take(Self.one)
        #expect(pending.take(Self.one) == [])
        pending.add(fixes(3...3), to: Self.one)
        pending.putBack(taken, to: Self.one)
        #expect(pending.take(Self.one) == fixes(1...3))
        #expect(pending.waitingCount == 0)
    }

    @Test(
        arguments: [
            // The fixes of each promise that are added, that remain, and that are dropped.
            (one: 3, two: 2, left: [3, 2], dropped: 0), (one: 4, two: 2, left: [3, 2], dropped: 1),
            (one: 9, two: 0, left: [5, 0], dropped: 4), (one: 0, two: 6, left: [0, 5], dropped: 1),
        ] as [(one: Int, two: Int, left: [Int], dropped: Int)]
    )
    mutating func `drops the oldest fixes of the promise with the most first`(
        one: Int,
        two: Int,
        left: [Int],
        dropped: Int
    ) {
        if one > 0 { pending.add(fixes(1...UInt32(one)), to: Self.one) }
        if two > 0 { pending.add(fixes(1...UInt32(two)), to: Self.two) }
        #expect([numbers(of: Self.one).count, numbers(of: Self.two).count] == left)
        #expect(pending.droppedCount == dropped)
        #expect(numbers(of: Self.one) == (1...9).filter { $0 <= one }.suffix(left[0]).map { UInt32($0) })
    }
}
