import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct SettledFixTests {
    private static func fix(delay: TimeSpan, isMock: Bool = false, isClockMoved: Bool = false) -> SettledFix {
        SettledFix(
            seq: 1,
            coordinate: Coordinate(latitude: 37.5, longitude: 127),
            time: .meeting,
            receivedAt: .meeting + delay,
            isMock: isMock,
            isClockMoved: isClockMoved
        )
    }

    @Test(
        arguments: [.zero, .milliseconds(1), .milliseconds(-1), .seconds(-5), .hours(4), .days(6), .days(-6)]
            as [TimeSpan],
        [(true, true), (true, false), (false, true), (false, false)]
    )
    func `its parts are those it was made of`(delay: TimeSpan, marks: (isMock: Bool, isClockMoved: Bool)) {
        let isMock = marks.isMock
        var fix = Self.fix(delay: delay, isMock: isMock, isClockMoved: marks.isClockMoved)
        #expect(fix.isClockMoved == marks.isClockMoved)
        #expect(fix.time == .meeting)
        #expect(fix.receivedAt == .meeting + delay)
        #expect(fix.isMock == isMock)
        fix.isMock.toggle()
        #expect(fix.isMock == !isMock)
        #expect(fix.isClockMoved == marks.isClockMoved)
        #expect(fix.receivedAt == .meeting + delay)
    }

    @Test(arguments: [(15_000, true), (15_001, false), (-5_000, true)])
    func `it is live when received within 15 s of its time`(milliseconds: Int, isLive: Bool) {
        for isMock in [true, false] {
            #expect(Self.fix(delay: .milliseconds(Int64(milliseconds)), isMock: isMock).isLive == isLive)
        }
    }

    @Test func `a difference of weeks counts as six days`() {
        #expect(Self.fix(delay: .days(40)).receivedAt > .meeting + .days(6))
        #expect(Self.fix(delay: .days(-40)).receivedAt < .meeting - .days(6))
    }

    @Test func `a fix takes no more room than its numbers`() {
        #expect(MemoryLayout<SettledFix>.stride == 48)
    }
}
