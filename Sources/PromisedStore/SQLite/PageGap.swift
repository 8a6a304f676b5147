/// The unused bytes of a database page between the pointers to its cells and the cells.
///
/// SQLite overwrites deleted cells (`secure_delete`). But when it redistributes the cells of neighbouring pages, copies
/// of the moved cells stay in the gap of their old page, even after the row is deleted.
enum PageGap {
    /// The most pages in a database, 137 GB.
    ///
    /// A page outside the B-trees begins with a page number (an overflow page, a list of free pages) or has no content
    /// (a free page). While page numbers stay below this limit, their first byte differs from every kind of B-tree
    /// page.
    static let mostPages = (1 << 25) - 1

    /// The gap of a page of a database without `auto_vacuum`; nil for a page outside the B-trees, a page without a gap,
    /// and anything but a page.
    ///
    /// SQLite's file format, 1.6: the kind of the page at 0, the number of cells at 3, the start of their content at 5;
    /// the pointers follow after 8 bytes, or 12 in an inner page. The first page begins with the file's header.
    static func range(in page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
        guard page.count >= 512, page.count.nonzeroBitCount == 1 else { return nil }
        let header = isFirst ? 100 : 0
        let pointers: Int
        switch page[header] {
        case 2, 5: pointers = header + 12
        case 10, 13: pointers = header + 8
        default: return nil
        }
        let start = pointers + 2 * number(at: header + 3, of: page)
        // 0 means 65,536.
        let content = number(at: header + 5, of: page)
        let end = content == 0 ? 65_536 : content
        return start < end && end <= page.count ? start..<end : nil
    }

    private static func number(at offset: Int, of page: UnsafeRawBufferPointer) -> Int {
        Int(page[offset]) << 8 | Int(page[offset + 1])
    }
}
