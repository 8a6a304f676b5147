import PromisedTestSupport
import Testing

@testable import PromisedDomain

struct BoxedOptionalTests {
    private struct Holder: Hashable {
        @BoxedOptional var fix: SettledFix? = nil
    }

    @Test func `holds its value, independent of copies`() {
        var one = Holder()
        #expect(one.fix == nil)
        #expect(one.$fix.isNil)
        one.fix = SettledFix(
            seq: 1,
            coordinate: Coordinate(latitude: 52, longitude: 13),
            time: .meeting,
            receivedAt: .meeting
        )
        var other = one
        #expect(other == one)
        #expect(!one.$fix.isNil)
        other.fix?.seq = 2
        #expect(one.fix?.seq == 1)
        #expect(other.fix?.seq == 2)
        other.fix = nil
        #expect(other == Holder())
        #expect(one != other)
    }

    @Test func `needs no more memory than a pointer`() {
        #expect(MemoryLayout<Holder>.size == MemoryLayout<UnsafeRawPointer>.size)
    }
}
