import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct AgendaTests {
    private static func number(_ happening: Happening?) -> Int? {
        if case .act(let number) = happening { number } else { nil }
    }

    @Test func `returns entries by time, those of one instant in the order of creation`() {
        let agenda = Agenda(at: .meeting)
        for (number, seconds) in [3.0, 1, 2, 1, 0].enumerated() {
            agenda.add(.act(number), at: .meeting + .seconds(seconds))
        }
        #expect(Self.number(agenda.takeDue()) == 4)
        #expect(Self.number(agenda.takeDue()) == nil)
        agenda.advance(to: .meeting + .seconds(9))
        #expect((0..<4).map { _ in Self.number(agenda.takeDue()) } == [1, 3, 2, 0])
        #expect(agenda.nextInstant == nil)
    }

    @Test func `its clock is monotonic`() {
        let agenda = Agenda(at: .meeting)
        agenda.advance(to: .meeting - .seconds(1))
        #expect(agenda.now == .meeting)
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
