import Foundation
import PromisedFormats
import Testing

@Suite struct FileChunksTests {
    /// A file of the given bytes; removed after `body`.
    private static func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "chunks-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }  // A file that stays does no harm.
        return try body(url.path)
    }

    @Test(arguments: [
        (0, []), (1, [1]), (FileChunks.size - 1, [FileChunks.size - 1]), (FileChunks.size, [FileChunks.size]),
        (FileChunks.size + 1, [FileChunks.size, 1]),
    ])
    func `reads a file in pieces that add up to it`(count: Int, pieces: [Int]) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Self.withFile(bytes) { path in
            var chunks = try FileChunks(path: path)
            var found: [[UInt8]] = []
            while let chunk = try chunks.next() { found.append(chunk) }
            #expect(chunks.count == count)
            #expect(found.map(\.count) == pieces)
            #expect(Array(found.joined()) == bytes)
        }
    }

    @Test func `detects the encoding of a file across its pieces`() throws {
        // The piece ends inside a character.
        let korean = Array(repeating: UInt8(ascii: "x"), count: FileChunks.size - 1) + Array("시".utf8)
        for (bytes, expected) in [
            (korean, TextEncoding.utf8), (korean + [0xBD], .cp949), ([0xFF, 0xFE, 0x41, 0x00], .utf16),
        ] {
            let found = try Self.withFile(bytes) { try TextEncoding.detected(inFileAt: $0) }
            #expect(found == expected)
        }
    }

    @Test func `reports a missing file and a folder as unreadable`() throws {
        for path in ["/nowhere/at/all.csv", FileManager.default.temporaryDirectory.path] {
            let error = #expect(throws: FormatError.self) {
                var chunks = try FileChunks(path: path)
                while try chunks.next() != nil {}
            }
            #expect(error?.description.hasPrefix("cannot read the file: ") == true)
        }
    }
}
