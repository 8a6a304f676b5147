import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct ZIPWriterTests {
    private static let noon = ZIPSample.noon

    @Test func `entries have name, bytes, checksum, flags, date and mode`() throws {
        // 0xCBF43926 is the check value of CRC-32; day 29 of month 11, 39 years after 1980; 12:00:04.
        let date: UInt32 = (39 << 9 | 11 << 5 | 29) << 16 | 12 << 11 | 2
        func entry(_ name: String, _ bytes: String, _ crc: UInt32, _ flags: UInt16) -> ZIPReader.Entry {
            ZIPReader.Entry(name: name, bytes: Array(bytes.utf8), crc: crc, flags: flags, date: date, mode: 0o100600)
        }
        #expect(
            try ZIPReader.entries(of: ZIPSample.archive()) == [
                entry("README", "123456789", 0xCBF4_3926, 0x0800),
                entry("코스/길 🚲.gpx", "123456789", 0xCBF4_3926, 0x0808),
                entry("empty", "", 0, 0x0800), entry("empty too", "", 0, 0x0808),
            ]
        )
    }

    @Test func `an archive without entries is its end record`() throws {
        var (writer, output) = (ZIPWriter(), [UInt8]())
        writer.finish(into: &output)
        #expect(output == [0x50, 0x4B, 0x05, 0x06] + [UInt8](repeating: 0, count: 18))
    }

    @Test func `reads random entries back in any pieces, and equal entries give equal bytes`() throws {
        for seed in UInt64(1)...50 {
            var numbers = SeededNumbers(seed: seed)
            let contents = (0..<Int.random(in: 0...8, using: &numbers)).map { _ in
                (0..<Int.random(in: 0...300, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            }
            let archives = try (0..<2).map { _ in
                var (writer, output) = (ZIPWriter(), [UInt8]())
                for (index, content) in contents.enumerated() {
                    try writer.begin("\(index)", modified: Self.noon, into: &output)
                    for piece in content.cut(longest: 50, with: &numbers) { try writer.append(piece, into: &output) }
                    writer.end(into: &output)
                }
                writer.finish(into: &output)
                return output
            }
            #expect(archives[0] == archives[1], "seed \(seed)")
            let entries = try ZIPReader.entries(of: archives[0])
            #expect(entries.map(\.bytes) == contents, "seed \(seed)")
            #expect(entries.map(\.crc) == contents.map(Self.plainChecksum), "seed \(seed)")
        }
    }

    /// CRC-32 bit by bit.
    private static func plainChecksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { register, byte in
            (0..<8).reduce(register ^ UInt32(byte)) { word, _ in word >> 1 ^ (word & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 1_980, 1, 1, 0), ("1980-01-01T00:00:01Z", 1_980, 1, 1, 0),
            ("2000-02-29T23:59:59Z", 2_000, 2, 29, 23 << 11 | 59 << 5 | 29),
            ("2107-12-31T23:59:59Z", 2_107, 12, 31, 23 << 11 | 59 << 5 | 29),
            ("2108-01-01T00:00:00Z", 2_107, 12, 31, 23 << 11 | 59 << 5 | 29),
        ] as [(String, UInt32, UInt32, UInt32, UInt32)]
    )
    func `stores dates from 1980 to 2107`(
        text: String,
        year: UInt32,
        month: UInt32,
        day: UInt32,
        time: UInt32
    ) throws {
        var (writer, output) = (ZIPWriter(), [UInt8]())
        try writer.add("a", [], modified: try #require(Instant(rfc3339: text)), into: &output)
        writer.finish(into: &output)
        let date = ((year - 1_980) << 9 | month << 5 | day) << 16 | time
        #expect(try ZIPReader.entries(of: output).map(\.date) == [date])
    }

    @Test(
        .defends("archive-paths"),
        arguments: [
            "", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\\b", "C:a", "a\u{0}", "a\n", "\u{7F}",
            String(repeating: "é", count: 128),
        ]
    )
    func `rejects an ambiguous name`(name: String) throws {
        var (writer, output) = (ZIPWriter(), [UInt8]())
        #expect(throws: ZIPError.badName(name)) { try writer.add(name, [], modified: Self.noon, into: &output) }
        try writer.add(String(repeating: "é", count: 127) + "b", [], modified: Self.noon, into: &output)
        #expect(throws: ZIPError.duplicateName("…")) {
            try writer.add("…", [], modified: Self.noon, into: &output)
            try writer.add("…", [], modified: Self.noon, into: &output)
        }
    }

    @Test func `writes 65,535 entries and rejects one more`() throws {
        var (writer, output) = (ZIPWriter(), [UInt8]())
        for index in 0..<65_535 { try writer.add("\(index)", [], modified: Self.noon, into: &output) }
        #expect(throws: ZIPError.tooManyEntries) { try writer.add("a", [], modified: Self.noon, into: &output) }
        writer.finish(into: &output)
        #expect(writer.count == UInt64(output.count))
        #expect(try ZIPReader.entries(of: output).count == 65_535)
    }

    /// An archive of "a" with 10 bytes and "b" with as many as fit, at most 20; with the calls that were refused.
    private static func archive(limit: UInt64) throws -> (bytes: [UInt8], refused: [String]) {
        var (writer, output) = (ZIPWriter(limit: limit), [UInt8]())
        var refused: [String] = []
        func attempt(_ call: String, _ body: () throws(ZIPError) -> Void) -> Bool {
            let before = output.count
            do throws(ZIPError) {
                try body()
                return true
            } catch {
                #expect(error == .tooLarge(limit: limit) && output.count == before)
                refused.append(call)
                return false
            }
        }
        let ten = [UInt8](repeating: 7, count: 10)
        _ = attempt("add") { () throws(ZIPError) in try writer.add("a", ten, modified: noon, into: &output) }
        let begins = attempt("begin") { () throws(ZIPError) in try writer.begin("b", modified: noon, into: &output) }
        if begins {
            _ = attempt("first") { () throws(ZIPError) in try writer.append(ten, into: &output) }
            _ = attempt("second") { () throws(ZIPError) in try writer.append(ten, into: &output) }
            writer.end(into: &output)
        }
        writer.finish(into: &output)
        return (output, refused)
    }

    // An entry needs 78 bytes and its content, 94 if streamed, and the end of the archive 22.
    @Test(
        arguments: [
            (22, ["add", "begin"], 22), (109, ["add", "begin"], 22), (110, ["begin"], 110), (203, ["begin"], 110),
            (204, ["first", "second"], 204), (213, ["first", "second"], 204), (214, ["second"], 214),
            (223, ["second"], 214), (224, [], 224), (225, [], 224),
        ] as [(UInt64, [String], Int)]
    )
    func `rejects calls beyond the limit without writing, and the rest can be finished`(
        limit: UInt64,
        refused: [String],
        count: Int
    ) throws {
        let archive = try Self.archive(limit: limit)
        #expect(archive.refused == refused)
        #expect(archive.bytes.count == count)
        let entries = try ZIPReader.entries(of: archive.bytes)
        #expect(
            entries.map(\.name) == (refused.contains("add") ? [] : ["a"]) + (refused.contains("begin") ? [] : ["b"])
        )
    }

    @Test func `rejects archives of 4 GiB under any limit`() {
        #expect(ZIPWriter().limit == 4_294_967_295)
        #expect(ZIPWriter(limit: .max).limit == 4_294_967_295)
        #expect(ZIPWriter(limit: 22).limit == 22)
    }
}
