import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct EncodingDetectorTests {
    @Test(
        .proves("12.1"),
        arguments: [
            ([], .utf8), ([0x41], .utf8), ([0xEF, 0xBB, 0xBF, 0xBD, 0xC3], .utf8), ([0xEF, 0xBB], .cp949),
            ([0xFF, 0xFE, 0x41, 0x00], .utf16), ([0xFE, 0xFF], .utf16), ([0xFF, 0x41], .cp949),
            ([0xEC, 0x8B, 0x9C], .utf8), ([0xEC, 0x8B], .cp949), ([0xBD, 0xC3], .cp949),
            ([0x41, 0xED, 0xA0, 0x80], .cp949),
            ([0x41, 0xF0, 0x9F, 0x98, 0x80], .utf8),
        ] as [([UInt8], TextEncoding)]
    )
    func `detects the encoding by the mark, then UTF-8 of all bytes, else CP949`(bytes: [UInt8], encoding: TextEncoding)
    {
        for chunks in [[bytes], bytes.map { [$0] }] {
            var detector = EncodingDetector()
            for chunk in chunks { detector.look(at: chunk) }
            #expect(detector.encoding == encoding)
        }
    }

    @Test func `one malformed byte after a megabyte of UTF-8 makes it CP949`() {
        var detector = EncodingDetector()
        for _ in 0..<1_024 { detector.look(at: Array(repeating: 0x41, count: 1_024)) }
        #expect(detector.encoding == .utf8 && !detector.isCertain)
        detector.look(at: [0xBD, 0x41])
        #expect(detector.encoding == .cp949 && detector.isCertain)
    }

    @Test(.enabled(if: SharedFiles.places != nil, "../shared/places is absent"))
    func `detects the published encodings of the real files`() throws {
        for (name, encoding) in [
            ("markets-kr.csv", TextEncoding.cp949), ("bikes-seoul.csv", .utf8), ("cafes-jp.geojson", .utf8),
        ] {
            var detector = EncodingDetector()
            detector.look(at: try SharedFiles.bytes(name))
            #expect(detector.encoding == encoding, "\(name)")
        }
    }
}
