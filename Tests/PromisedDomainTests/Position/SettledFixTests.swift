import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct SettledFixTests {
    private struct Marks: Equatable, Sendable {
        var isMock = false
        var isClockMoved = false
        var isOfOtherClock = false

        init() {}

        init(_ fix: SettledFix) {
            (isMock, isClockMoved, isOfOtherClock) = (fix.isMock, fix.isClockMoved, fix.isOfOtherClock)
        }
    }

    private static func fix(delay: TimeSpan, _ marks: Marks = Marks()) -> SettledFix {
        SettledFix(
            seq: 1,
            coordinate: Coordinate(latitude: 37.5, longitude: 127),
            time: .meeting,
            receivedAt: .meeting + delay,
            isMock: marks.isMock,
            isClockMoved: marks.isClockMoved,
            isOfOtherClock: marks.isOfOtherClock
        )
    }

    @Test(
        arguments: [.zero, .milliseconds(1), .milliseconds(-1), .seconds(-5), .hours(4), .days(5), .hours(-18)]
            as [TimeSpan],
        0..<8
    )
    func `returns the parts it was made of`(delay: TimeSpan, number: Int) {
        var marks = Marks()
        (marks.isMock, marks.isClockMoved, marks.isOfOtherClock) = (number & 1 != 0, number & 2 != 0, number & 4 != 0)
        var fix = Self.fix(delay: delay, marks)
        #expect(Marks(fix) == marks)
        #expect(fix.time == .meeting)
        #expect(fix.receivedAt == .meeting + delay)
        fix.isMock.toggle()
        marks.isMock.toggle()
        #expect(Marks(fix) == marks)
        #expect(fix.receivedAt == .meeting + delay)
    }

    @Test(arguments: [(15_000, true), (15_001, false), (-5_000, true)])
    func `it is live when received within 15 s of its time`(milliseconds: Int, isLive: Bool) {
        for isMock in [true, false] {
            var marks = Marks()
            marks.isMock = isMock
            #expect(Self.fix(delay: .milliseconds(Int64(milliseconds)), marks).isLive == isLive)
        }
    }

    @Test func `limits the difference to five days after or 18 h before`() {
        #expect(Self.fix(delay: .days(40)).receivedAt > .meeting + .days(5))
        #expect(!Self.fix(delay: .days(40)).isLive)
        #expect(Self.fix(delay: .days(-40)).receivedAt < .meeting - .hours(18))
        #expect(Self.fix(delay: .days(-40)).receivedAt > .meeting - .hours(19))
    }

    @Test func `a fix needs no more memory than its numbers`() {
        #expect(MemoryLayout<SettledFix>.stride == 48)
    }
}
