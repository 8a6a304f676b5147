import Foundation
import Logging
import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct LogLineTests {
    private func record(
        _ message: String,
        _ metadata: Logger.Metadata = [:],
        label: String = "promised.server",
        error: String? = nil
    ) -> LogRecord {
        LogRecord(
            time: Instant(milliseconds: 1_575_034_750_007),
            level: .info,
            label: label,
            message: message,
            error: error,
            metadata: metadata
        )
    }

    @Test func `a text line has time, level, logger, message and sorted metadata`() {
        let line = record("listening", ["port": "8080", "host": "::1"]).line(as: .text)
        #expect(line == "2019-11-29T13:39:10.007Z INFO     promised.server: listening host=::1 port=8080\n")
    }

    @Test func `a JSON line has the same fields in an object`() {
        let line = record("listening", ["port": "8080", "host": "::1"]).line(as: .json)
        let expected =
            #"{"time":"2019-11-29T13:39:10.007Z","level":"info","logger":"promised.server","message":"listening","#
            + #""metadata":{"host":"::1","port":"8080"}}"# + "\n"
        #expect(line == expected)
    }

    @Test(arguments: [
        ("plain", "key=plain"), ("", #"key="""#), ("two words", #"key="two words""#), ("a=b", #"key="a=b""#),
        (#"say "hi""#, #"key="say \"hi\"""#), ("a\nb", #"key="a\nb""#), ("a\u{1B}[2Jb", #"key="a\u{1b}[2Jb""#),
        ("a\u{202E}b", #"key="a\u{202e}b""#), ("지은", "key=지은"), (#"a\nb"#, #"key="a\\nb""#), (#"\"#, #"key="\\""#),
    ])
    func `metadata in a text line is one word`(value: String, word: String) {
        #expect(record("m", ["key": .string(value)]).line(as: .text).hasSuffix("promised.server: m \(word)\n"))
    }

    @Test(.defends("header-injection"), arguments: LogFormat.allCases)
    func `no content of a record ends its line`(format: LogFormat) {
        let breaks = "a\nb\rc\u{2028}d\u{2029}e\u{85}f\u{0}g\u{B}\u{7F}h\r\ni"
        let metadata: Logger.Metadata = [breaks: .array([.string(breaks), .dictionary([breaks: .string(breaks)])])]
        let line = record(breaks, metadata, label: breaks, error: breaks).line(as: format)
        #expect(line.last == "\n")
        #expect(!line.unicodeScalars.dropLast().contains { $0.properties.generalCategory == .control })
        #expect(!line.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
    }

    @Test func `reads a JSON line with any content back`() throws {
        let wild = "q\"b\\s/\n\r\t\u{0}\u{1F}\u{7F}\u{202E}\u{1FFFE} 👋 지은"
        let metadata: Logger.Metadata = [
            "list": ["a", .string(wild)], "map": ["k": .stringConvertible(7)], "time": "x",
        ]
        let line = record(wild, metadata, error: "broken").line(as: .json)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == wild)
        #expect(object["error"] as? String == "broken")
        #expect(object["time"] as? String == "2019-11-29T13:39:10.007Z")
        let read = try #require(object["metadata"] as? [String: Any])
        #expect(read["list"] as? [String] == ["a", wild])
        #expect(read["map"] as? [String: String] == ["k": "7"])
    }
}
