import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct SequenceSetTests {
    enum Order: CaseIterable {
        case rising
        case falling
        case shuffled
        case repeated
        case scattered

        func numbers(using generator: inout SeededGenerator) -> [UInt32] {
            switch self {
            case .rising: Array(0..<500)
            case .falling: Array((0..<500).reversed())
            case .shuffled: (0..<500).shuffled(using: &generator)
            case .repeated: (0..<500).map { _ in UInt32.random(in: 0..<60, using: &generator) }
            case .scattered: (0..<250).map { _ in UInt32.random(in: 0...600, using: &generator) }
            }
        }
    }

    @Test(.proves("5.11"), arguments: Order.allCases, 1...10)
    func `each number is new exactly once, as in a plain set`(order: Order, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var taken = SequenceSet()
        var model = Set<UInt32>()
        for number in order.numbers(using: &generator) {
            #expect(taken.contains(number) == model.contains(number), "seed \(seed), number \(number)")
            #expect(taken.insert(number) == model.insert(number).inserted, "seed \(seed), number \(number)")
            #expect(taken.contains(number))
        }
        #expect((0...601).allSatisfy { taken.contains($0) == model.contains($0) }, "seed \(seed)")
    }

    @Test(arguments: Order.allCases, 1...10)
    func `reports a new range exactly when a number begins one`(order: Order, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var taken = SequenceSet()
        for number in order.numbers(using: &generator) where !taken.contains(number) {
            let (begins, before) = (taken.beginsRange(number), taken.rangeCount)
            taken.insert(number)
            #expect(begins == (taken.rangeCount > before), "seed \(seed), number \(number)")
        }
    }

    @Test func `accepts both ends of the number range`() {
        var taken = SequenceSet()
        for number in [0, .max, .max - 1, 1] as [UInt32] {
            let isNew = taken.insert(number)
            let isNewAgain = taken.insert(number)
            #expect(isNew)
            #expect(!isNewAgain)
        }
        #expect(taken.rangeCount == 2)
    }

    @Test func `ascending numbers use one range`() {
        var taken = SequenceSet()
        for number in 1...10_000 as ClosedRange<UInt32> { taken.insert(number) }
        #expect(taken.rangeCount == 1)
    }

    @Test(.proves("5.11"), arguments: [255, 256, 257, 5_000] as [UInt32])
    func `fills gaps in any number`(gaps: UInt32) {
        var taken = SequenceSet()
        for index in 0...gaps { taken.insert(index * 2) }
        for index in (0..<gaps).reversed() {
            let isNew = taken.insert(index * 2 + 1)
            #expect(isNew)
        }
        #expect(taken.rangeCount == 1)
    }
}
