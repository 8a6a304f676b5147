import Foundation
import FoundationXML
import PromisedFormats
import PromisedTestMarks
import Testing

/// Files that are refused, each with line and word.
@Suite struct GPXFaultTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let word: String
        let line: Int

        init(_ text: String, _ word: String, _ line: Int = 1) {
            (self.text, self.word, self.line) = (text, word, line)
        }

        var testDescription: String { "\(word): \(text)" }
    }

    /// The error of a file's bytes as line and word, or the end of a truncated one; nil if they are read completely.
    private static func fault(_ bytes: [UInt8]) -> String? {
        do throws(GPXError) {
            return try GPXFile(bytes).brokenOffLine.map { "\($0) truncated" }
        } catch {
            return "\(error.line.map(String.init) ?? "-") \(error.word)"
        }
    }

    private static let rows = [
        // Empty, and no XML.
        Row("", "truncated"), Row(" \n ", "truncated", 2), Row("no XML at all", "syntax"), Row("\u{1}", "character"),
        // Encodings: declared, NUL beside the first character, or bytes that are no UTF-8 (see below).
        Row("<?xml version='1.0' encoding='EUC-KR'?><gpx/>", "encoding"),
        Row("<?xml version='1.0'\n encoding='ISO-8859-1'?><gpx/>", "encoding", 2), Row("<\0g\0p\0x\0", "encoding"),
        Row("\0<\0g", "encoding"),
        // Characters.
        Row("<gpx>\n\u{0}</gpx>", "character", 2), Row("<gpx a='\u{1F}'/>", "character"),
        Row("<gpx>\r\r\n\u{FFFE}</gpx>", "character", 3), Row("<gpx><!--\u{FFFF}--></gpx>", "character"),
        Row("<gpx>&#0;</gpx>", "entity"), Row("<gpx>&#xFFFF;</gpx>", "entity"), Row("<gpx>&#xD800;</gpx>", "entity"),
        Row("<gpx>&#x110000;</gpx>", "entity"), Row("<gpx>&#-5;</gpx>", "entity"), Row("<gpx>&#;</gpx>", "entity"),
        Row("<gpx>&#x;</gpx>", "entity"), Row("<gpx>&#+5;</gpx>", "entity"), Row("<gpx>&#X41;</gpx>", "entity"),
        // Entities and document types.
        Row("<gpx>\n&nbsp;</gpx>", "entity", 2), Row("<gpx a='&b;'/>", "entity"), Row("<gpx>a & b</gpx>", "entity"),
        Row("<gpx>&amp</gpx>", "entity"), Row("<gpx>&;</gpx>", "entity"),
        Row("<gpx>&#000000000000000000065;</gpx>", "entity"),
        Row("<?xml version='1.0'?>\n<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", "doctype", 2),
        Row("<!DOCTYPE gpx SYSTEM 'file:///etc/passwd'><gpx/>", "doctype"), Row("<gpx><!DOCTYPE a></gpx>", "doctype"),
        // Tags.
        Row("<gpx>\n<a></b></gpx>", "mismatch", 2), Row("<gpx>\n</gpx></gpx>", "syntax", 2),
        Row("<gpx></GPX>", "mismatch"), Row("<gpx></x:gpx>", "mismatch"), Row("<gpx/><gpx/>", "syntax"),
        Row("<gpx/>\ntext", "syntax", 2), Row("text<gpx/>", "syntax"), Row("< gpx/>", "syntax"), Row("<1/>", "syntax"),
        Row("<gpx / >", "syntax"), Row("<gpx ?>", "syntax"), Row("<gpx></gpx a='b'>", "syntax"),
        Row("<gpx></>", "syntax"),
        // Attributes.
        Row("<gpx a=b/>", "syntax"), Row("<gpx a/>", "syntax"), Row("<gpx a='1'b='2'/>", "syntax"),
        Row("<gpx a='<'/>", "syntax"), Row("<gpx\na='1'\na='2'/>", "attributes", 3), Row("<gpx =''/>", "syntax"),
        // Text, comments, sections and instructions.
        Row("<gpx>]]></gpx>", "syntax"), Row("<gpx><!-- a -- b --></gpx>", "syntax"),
        Row("<gpx><!--a---></gpx>", "syntax"),
        Row("<![CDATA[a]]><gpx/>", "syntax"), Row("<gpx><!x></gpx>", "syntax"), Row("<gpx><?xml a?></gpx>", "syntax"),
        Row("<!----><?xml version='1.0'?><gpx/>", "syntax"), Row("<gpx><? a?></gpx>", "syntax"),
        Row("<gpx><?a/?></gpx>", "syntax"),
        Row("<?xml encoding='UTF-8'?><gpx/>", "syntax"), Row("<?xml version='1.0' a='b'?><gpx/>", "syntax"),
        Row("<?xml version='2.0'?><gpx/>", "syntax"), Row("<?xml version='1.0' standalone='a'?><gpx/>", "syntax"),
        Row("<?xml standalone='no' version='1.0'?><gpx/>", "syntax"), Row("<?xml version='1.0'><gpx/>", "syntax"),
    ]

    @Test(.proves("17.7"), .defends("gpx-entities"), arguments: rows)
    func `rejects a malformed file with line and word`(row: Row) {
        #expect(Self.fault(Array(row.text.utf8)) == "\(row.line) \(row.word)")
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x3C, 0x00], [0xFE, 0xFF, 0x00, 0x3C], [0x3C, 0x80, 0x3E], [0x3C, 0x67, 0xC0, 0xAF],
            [0x3C, 0x67, 0xED, 0xA0, 0x80], [0x3C, 0x67, 0xF4, 0x90, 0x80, 0x80], [0x3C, 0x67, 0xE2, 0x3E],
        ] as [[UInt8]]
    )
    func `rejects bytes that are not UTF-8`(bytes: [UInt8]) { #expect(Self.fault(bytes) == "1 encoding") }

    @Test func `rejects a malformed byte with its line`() {
        #expect(Self.fault(GPXSamples.bytes("<trk>\n<name>") + [0xE9, 0x3C]) == "4 encoding")
    }

    @Test func `reports a file cut anywhere as truncated, also within a character`() {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- c --><gpx version="1.1"><?a b?>
            <trk><name>é &amp; &#x41; <![CDATA[x]]y]]></name><trkseg><trkpt lat='1' lon="2"/></trkseg></trk></gpx>
            """
        let bytes = Array(text.utf8)
        #expect(Self.fault(bytes) == nil)
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            let line = 1 + part.count { $0 == UInt8(ascii: "\n") }
            #expect(Self.fault(part) == "\(line) truncated", "\(count) bytes")
        }
    }

    /// libxml2 reads the same documents; it is stricter with namespaces.
    @Test(.defends("gpx-entities")) func `reads the same of 4,000 randomly damaged documents as libxml2`() {
        let start = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?><!-- c --><?p i?>
            <gpx version="1.1"><trk><name a="&lt;">n &amp; &#65;</name><desc><![CDATA[ ]] ]]></desc><trkseg>
            <trkpt lat="1" lon='2'/></trkseg><a b = "c" >]] &gt;</a ></trk></gpx>
            """.utf8
        )
        let pieces = ["]]>", "--", "<a>", "</a>"] + "<>/&;\"'= !-?[]a#".map(String.init)
        var numbers = SeededNumbers(seed: 25)
        var accepted = 0
        for round in 0..<4_000 {
            var bytes = start
            for _ in 0...Int.random(in: 0...1, using: &numbers) {
                let index = Int.random(in: 6..<bytes.count, using: &numbers)
                let piece = Array((pieces.randomElement(using: &numbers) ?? "").utf8)
                let end = min(bytes.count, index + Int.random(in: 0...2, using: &numbers))
                bytes.replaceSubrange(index..<end, with: piece)
            }
            let parser = XMLParser(data: Data(bytes))
            _ = parser.parse()
            let (ours, theirs) = (Self.fault(bytes), parser.parserError == nil)
            if ours?.hasSuffix("not-gpx") == true || ours?.hasSuffix("encoding") == true { continue }
            accepted += theirs ? 1 : 0
            #expect((ours == nil) == theirs, "\(round): \(ours ?? "read"): \(String(decoding: bytes, as: UTF8.self))")
        }
        #expect((200...3_800).contains(accepted))
    }

    @Test func `random bytes anywhere give a document or an error with a line of the file`() {
        let start = GPXSamples.track(#"<trkpt lat="1.5" lon="2"><ele>3</ele><time>2019-11-29T12:00:00Z</time></trkpt>"#)
        var numbers = SeededNumbers(seed: 26)
        for round in 0..<4_000 {
            var bytes = start
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let index = Int.random(in: 0..<bytes.count, using: &numbers)
                bytes[index] = UInt8.random(in: 0...255, using: &numbers)
            }
            let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
            do throws(GPXError) {
                _ = try GPXFile(bytes)
            } catch {
                #expect((1...lines).contains(error.line ?? 0), "\(round): \(error)")
            }
        }
    }

    @Test func `each error has a unique word and a sentence that begins with its line`() {
        let errors =
            XMLProblem.allCases.map { GPXError.malformed(line: 7, $0) }
            + GPXError.Limit.allCases.map { GPXError.tooMuch(line: 7, $0) } + [.notGPX(line: 7)]
        #expect(Set(errors.map(\.word)).count == errors.count)
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.allSatisfy { $0.description.hasPrefix("line 7: ") && $0.description.count > 20 })
        #expect(GPXError.damaged.line == nil && !errors.map(\.word).contains(GPXError.damaged.word))
    }
}
