import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct TextDecoderTests {
    /// The text of chunks; bytes that could not be decoded are `�`.
    private static func text(of chunks: [[UInt8]], in encoding: TextEncoding) throws -> String {
        var decoder = try TextDecoder(encoding)
        var text: [UInt8] = []
        for chunk in chunks { decoder.decode(chunk, into: &text) }
        decoder.finish(into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static let samples: [(TextEncoding, [UInt8], String)] = [
        (.cp949, [0xBD, 0xC3, 0xC0, 0xE5, 0x2C, 0x41], "시장,A"),
        // 똠 is in CP949, and in files that call themselves EUC-KR.
        (.cp949, [0x8C, 0x63], "똠"),
        (.eucKR, [0xBD, 0xC3, 0xC0, 0xE5], "시장"),
        (.eucKR, [0x8C, 0x63], "똠"),
        // A second byte of Shift_JIS may be a bar (0x7C) or a backslash (0x5C).
        (.shiftJIS, [0x83, 0x7C, 0x95, 0x5C, 0x41], "ポ表A"),
        (.shiftJIS, [0x87, 0x40], "①"),
        (.eucJP, [0xB4, 0xC1], "漢"),
        (.gb18030, [0xBA, 0xBA], "汉"),
        (.big5, [0xBA, 0x7E], "漢"),
        (.windows1252, [0xE9, 0x80], "é€"),
        (.utf16LittleEndian, [0xDC, 0xC2, 0xA5, 0xC7], "시장"),
        (.utf16BigEndian, [0xC2, 0xDC, 0xC7, 0xA5], "시장"),
        (.utf16, [0xFF, 0xFE, 0xDC, 0xC2, 0x3D, 0xD8, 0x00, 0xDE], "시😀"),
        (.utf16, [0xFE, 0xFF, 0xC2, 0xDC], "시"),
        (.utf16, [0xDC, 0xC2], "시"),
        (.utf8, [0xEF, 0xBB, 0xBF, 0xEC, 0x8B, 0x9C, 0xF0, 0x9F, 0x98, 0x80], "시😀"),
        (.utf8, [0x41], "A"),
        (.utf8, [], ""),
    ]

    @Test(.proves("12.1"), arguments: samples)
    func `decodes text of each encoding in any pieces, without its byte order mark`(
        encoding: TextEncoding,
        bytes: [UInt8],
        text: String
    ) throws {
        #expect(try Self.text(of: [bytes], in: encoding) == text)
        #expect(try Self.text(of: bytes.map { [$0] }, in: encoding) == text)
    }

    @Test(
        arguments: [
            (.cp949, [0x41, 0xFF, 0x42], "A�B"),
            // A single first byte does not consume the following line end.
            (.cp949, [0xBD, 0x0A, 0x42], "�\nB"), (.cp949, [0x41, 0xBD], "A�"),
            (.eucKR, [0x8C], "�"), (.shiftJIS, [0x83, 0x0A], "�\n"),
            // A single surrogate.
            (.utf16LittleEndian, [0x00, 0xD8, 0x41, 0x00], "�A"), (.utf16LittleEndian, [0x41, 0x00, 0x42], "A�"),
            (.utf8, [0x41, 0xC3, 0x0A], "A�\n"), (.utf8, [0xE2, 0x82], "�"), (.utf8, [0xC0, 0x80], "��"),
            (.utf8, [0xED, 0xA0, 0x80], "���"), (.utf8, [0xF5, 0x41], "�A"), (.utf8, [0x80], "�"),
        ] as [(TextEncoding, [UInt8], String)]
    )
    func `marks invalid bytes at their position`(
        encoding: TextEncoding,
        bytes: [UInt8],
        text: String
    ) throws {
        #expect(try Self.text(of: [bytes], in: encoding) == text)
        #expect(try Self.text(of: bytes.map { [$0] }, in: encoding) == text)
    }

    @Test func `keeps a byte order mark inside the text`() throws {
        #expect(try Self.text(of: [[0x41, 0xEF, 0xBB, 0xBF]], in: .utf8) == "A\u{FEFF}")
    }

    @Test func `decodes random bytes in any pieces to the same text`() throws {
        for seed in UInt64(1)...200 {
            var numbers = SeededNumbers(seed: seed)
            let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            for encoding in [TextEncoding.utf8, .cp949, .shiftJIS, .utf16LittleEndian] {
                let whole = try Self.text(of: [bytes], in: encoding)
                let pieces = try Self.text(of: bytes.cut(longest: 7, with: &numbers), in: encoding)
                #expect(whole == pieces, "seed \(seed), \(encoding)")
            }
        }
    }

    @Test(
        arguments: [
            ("cp949", .cp949), ("UHC", .cp949), ("ms949", .cp949), ("euc_kr", .eucKR), ("Shift-JIS", .shiftJIS),
            ("utf8", .utf8), ("UTF-16le", .utf16LittleEndian), ("Windows-1252", .windows1252),
        ] as [(String, TextEncoding)]
    )
    func `finds an encoding by its names`(name: String, encoding: TextEncoding) throws {
        #expect(try TextEncoding(named: name) == encoding)
    }

    @Test func `rejects an unknown name with the known ones`() {
        let error = #expect(throws: FormatError.self) { try TextEncoding(named: "latin-9") }
        #expect(error?.description.contains("the encoding latin-9 is unknown: use one of UTF-8, UTF-16") == true)
    }

    @Test func `the system decodes every offered encoding`() throws {
        for encoding in TextEncoding.allCases { #expect(try Self.text(of: [], in: encoding) == "") }
    }
}
