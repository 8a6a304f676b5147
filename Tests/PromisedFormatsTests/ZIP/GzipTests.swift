import Foundation
import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedFormats

/// Files that gzip compressed.
@Suite struct GzipTests {
    /// A track of twelve points in 755 bytes, under the name `way.gpx`.
    private static let way = base64(
        """
        H4sICAAAAAAAA3dheS5ncHgAndJBCsMgEAXQfU4hHkAdjaaCmbu4kFBq05BI2t6+idBVBYurGYZ5q//dtLzIHtbt+phHCgwourTe
        0M3+HvDp347n7TxuYcpzSST6NFI1MK2FoCRmKw2z9uAhBlTC8XM6nv+x+3VQdFB1suhk1amiU1XXF11fdbrodNWZojNVNzTmcGnM
        wbblAKItB4D/cuDfovJcY370G7sP1RXNTuYCAAA=
        """
    )

    private static func base64(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }

    /// A member of one stored block.
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.update(content)
        let length = UInt16(content.count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + bytes(length) + bytes(~length) + content
            + bytes(checksum.value) + bytes(UInt32(length))
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func content(_ bytes: [UInt8], most: Int = 10_000) -> Result<String, Gzip.Problem> {
        Result { () throws(Gzip.Problem) in String(decoding: try Gzip.content(of: bytes, most: most), as: UTF8.self) }
    }

    @Test func `reads a compressed file like its content`() throws {
        let file = try GPXFile(Self.way)
        #expect(file.points.map(\.elevation) == (0..<12).map { Double(30 + $0 % 7) })
        #expect(file.document.tracks.map(\.name) == ["way"] && file.brokenOffLine == nil)
        #expect(try GPXFile(Array(Gzip.content(of: Self.way, most: 755))) == file)
    }

    @Test func `accepts a header with a name, a comment, more fields and a checksum`() {
        let plain = Self.stored(Array("gpx".utf8))
        func header(_ flags: UInt8, _ fields: [UInt8]) -> [UInt8] {
            Array(plain[..<3]) + [flags] + plain[4..<10] + fields + plain[10...]
        }
        for (flags, fields) in [
            (1, []), (2, [7, 7]), (4, [3, 0, 1, 0, 2]), (8, Array("a\0".utf8)), (16, Array("b\0".utf8)),
            (31, [1, 0, 9] + Array("a\0b\0".utf8) + [7, 7]),
        ] as [(UInt8, [UInt8])] {
            #expect(Self.content(header(flags, fields)) == .success("gpx"), "\(flags)")
        }
        #expect(Self.content(header(32, [])) == .failure(.damaged))
        #expect(Self.content(Array(plain[..<2]) + [7] + plain[3...]) == .failure(.damaged))
    }

    @Test func `reads consecutive members and ignores bytes after them`() {
        let members = Self.stored(Array("one ".utf8)) + Self.stored([]) + Self.stored(Array("two".utf8))
        #expect(Self.content(members) == .success("one two"))
        #expect(Self.content(members + [0, 0, 0]) == .success("one two"))
    }

    @Test func `reads the content of a file truncated anywhere up to its end`() throws {
        let whole = try GPXFile(Self.way)
        for count in 0..<Self.way.count {
            guard let file = try? GPXFile(Array(Self.way[..<count])) else { continue }
            #expect(whole.points.starts(with: file.points))
            #expect(file.brokenOffLine != nil || file.points == whole.points)
        }
        #expect(try GPXFile(Self.way.dropLast(8)) == whole)
        #expect(try GPXFile(Self.way.dropLast(60)).points.count < 12)
    }

    @Test(.proves("17.7")) func `detects a changed byte by the checksum or in the data`() {
        for index in 18..<Self.way.count {
            var bytes = Self.way
            bytes[index] ^= 0x10
            #expect(throws: GPXError.self, "\(index)") {
                // A change may move the end of the data beyond the end of the file.
                guard try GPXFile(bytes).brokenOffLine == nil else { throw GPXError.damaged }
            }
        }
    }

    @Test(.defends("zip-bombs")) func `limits the unpacked size to that of an uncompressed file`() {
        let mebibyte = Self.base64(
            """
            H4sIAAAAAAAAA+3BMQEAAADCoCrrn9IQvkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHwGpwID8QAA
            EAA=
            """
        )
        #expect(throws: GPXError.malformed(line: 1, .truncated)) {
            try GPXFile((0..<16).flatMap { _ in mebibyte })
        }
        #expect(throws: GPXError.tooMuch(line: 1, .size)) { try GPXFile((0..<17).flatMap { _ in mebibyte }) }
        #expect(Self.content(mebibyte, most: 1_048_575) == .failure(.tooLong))
    }

    @Test func `random bytes after the mark give content or a problem`() {
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<20_000 {
            let rest = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            if case .success(let text) = Self.content([0x1F, 0x8B, 8, 0] + rest, most: 1_000) {
                #expect(text.count <= 1_000)
            }
        }
    }
}
