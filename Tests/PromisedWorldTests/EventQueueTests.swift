import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct EventQueueTests {
    private static func number(_ event: WorldEvent?) -> Int? {
        if case .act(let number) = event { number } else { nil }
    }

    @Test func `returns entries by time, those of one instant in the order of creation`() {
        let queue = EventQueue(at: .meeting)
        for (number, seconds) in [3.0, 1, 2, 1, 0].enumerated() {
            queue.add(.act(number), at: .meeting + .seconds(seconds))
        }
        #expect(Self.number(queue.takeDue()) == 4)
        #expect(Self.number(queue.takeDue()) == nil)
        queue.advance(to: .meeting + .seconds(9))
        #expect((0..<4).map { _ in Self.number(queue.takeDue()) } == [1, 3, 2, 0])
        #expect(queue.nextInstant == nil)
    }

    @Test func `its clock is monotonic`() {
        let queue = EventQueue(at: .meeting)
        queue.advance(to: .meeting - .seconds(1))
        #expect(queue.now == .meeting)
    }

    @Test func `equal journals have equal digests, different ones do not`() {
        var (one, other) = (Journal(keepingLines: true), Journal(keepingLines: false))
        one.add(.meeting, "a line")
        other.add(.meeting, "a line")
        #expect(one.digest == other.digest)
        #expect(one.lines.count == 1 && other.lines.isEmpty)
        other.add(.meeting, "another")
        #expect(one.digest != other.digest)
    }
}
