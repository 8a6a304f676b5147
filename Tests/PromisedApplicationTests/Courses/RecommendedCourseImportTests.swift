import PromisedDomain
import Testing

@testable import PromisedApplication

@Suite struct RecommendedCourseImportTests {
    private static func order(bytes: Int) -> RecommendedCourseOrder {
        RecommendedCourseOrder(title: "a", region: "KR-11", source: "b", licence: "c", bytes: Int64(bytes))
    }

    @Test(arguments: 1...20, 0...19)
    func `assembles the file from pieces of any size, repeated and overlapping`(size: Int, overlap: Int) throws {
        let file = (0..<100).map { UInt8(($0 * 37) % 251) }
        var partial = RecommendedCourseImport(key: "k", Self.order(bytes: file.count))
        for start in stride(from: 0, to: file.count, by: size) {
            let begin = max(0, start - overlap)
            let piece = Array(file[begin..<min(start + size, file.count)])
            for _ in 1...2 {
                try partial.add(piece, at: Int64(begin))
                #expect(partial.offset == Int64(begin + piece.count))
            }
        }
        #expect(partial.bytes == file && partial.isComplete)
    }

    @Test func `ignores a piece after a gap, beyond the end or with different bytes`() throws {
        var partial = RecommendedCourseImport(key: "k", Self.order(bytes: 5))
        try partial.add([1, 2, 3], at: 0)
        let refused: [(piece: [UInt8], offset: Int64)] = [
            ([4, 5], 4), ([3, 4, 5, 6], 2), ([1, 9], 0), ([9, 4], 2), ([1], .max),
        ]
        for (piece, offset) in refused {
            #expect(throws: ApplicationError.self) { try partial.add(piece, at: offset) }
            #expect(partial.bytes == [1, 2, 3] && !partial.isComplete)
        }
        try partial.add([3, 4, 5], at: 2)
        #expect(partial.bytes == [1, 2, 3, 4, 5] && partial.isComplete)
    }
}
