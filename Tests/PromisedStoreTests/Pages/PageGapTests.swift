import PromisedTestMarks
import Testing

@testable import PromisedStore

@Suite struct PageGapTests {
    /// A page of 1,024 bytes with the given header.
    private static func page(_ kind: UInt8, cells: Int, content: Int, header: Int = 0) -> [UInt8] {
        var page = [UInt8](repeating: 0xAA, count: 1_024)
        page[header] = kind
        (page[header + 3], page[header + 4]) = (UInt8(cells >> 8), UInt8(cells & 255))
        (page[header + 5], page[header + 6]) = (UInt8(content >> 8), UInt8(content & 255))
        return page
    }

    private static func gap(of page: [UInt8], isFirst: Bool = false) -> Range<Int>? {
        page.withUnsafeBytes { PageGap.range(in: $0, isFirst: isFirst) }
    }

    @Test(.proves("2.22"), arguments: [(2, 12), (5, 12), (10, 8), (13, 8)] as [(UInt8, Int)])
    func `the gap lies between pointers and content`(kind: UInt8, start: Int) {
        #expect(Self.gap(of: Self.page(kind, cells: 0, content: 1_024)) == start..<1_024)
        #expect(Self.gap(of: Self.page(kind, cells: 3, content: 900)) == (start + 6)..<900)
        #expect(Self.gap(of: Self.page(kind, cells: 3, content: start + 7)) == (start + 6)..<(start + 7))
        #expect(Self.gap(of: Self.page(kind, cells: 3, content: start + 6)) == nil)
        let first = Self.page(kind, cells: 3, content: 900, header: 100)
        #expect(Self.gap(of: first, isFirst: true) == (start + 106)..<900)
    }

    @Test(arguments: [0, 1, 3, 4, 6, 9, 11, 12, 14, 255] as [UInt8])
    func `a page outside the B-trees has no gap`(kind: UInt8) {
        #expect(Self.gap(of: Self.page(kind, cells: 3, content: 900)) == nil)
    }

    @Test func `does not change inconsistent headers and other data`() {
        #expect(Self.gap(of: Self.page(13, cells: 3, content: 1_025)) == nil)
        #expect(Self.gap(of: Self.page(13, cells: 3, content: 5)) == nil)
        #expect(Self.gap(of: Self.page(13, cells: 65_535, content: 900)) == nil)
        // 65,536 is beyond this page.
        #expect(Self.gap(of: Self.page(13, cells: 3, content: 0)) == nil)
        for count in [0, 1, 8, 100, 256, 1_000] {
            #expect(Self.gap(of: Array(Self.page(13, cells: 0, content: 50).prefix(count))) == nil, "\(count)")
        }
        var large = Self.page(13, cells: 3, content: 0)
        large += [UInt8](repeating: 0, count: 65_536 - large.count)
        #expect(Self.gap(of: large) == 14..<65_536)
    }

    @Test func `no page number of a database looks like a B-tree page`() {
        #expect(UInt32(PageGap.mostPages) >> 24 < 2)
        #expect(UInt32(PageGap.mostPages + 1) >> 24 == 2)
    }
}
