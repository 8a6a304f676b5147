import Foundation
import PromisedFormats
import Testing

@Suite struct JSONParserTests {
    private static func value(_ text: String) -> JSONValue? { JSONParser.value(of: Array(text.utf8)) }

    @Test(
        arguments: [
            ("null", .null), (" true\n", .boolean(true)), ("false", .boolean(false)), ("0", .number("0")),
            ("-12.50e+3", .number("-12.50e+3")), ("1E9", .number("1E9")), ("\"\"", .text("")),
            ("\"시장 \\\"a\\\" \\\\ \\/ \\b\\f\\n\\r\\t\"", .text("시장 \"a\" \\ / \u{8}\u{C}\n\r\t")),
            ("\"\\uC2DC\\ud83D\\uDE00\"", .text("시😀")), ("\"\\ud83dx\\ude00\\ud83d\\u0041\"", .text("�x��A")),
            ("[]", .array([])), ("{}", .object([])),
            ("[1, [2],3 ]", .array([.number("1"), .array([.number("2")]), .number("3")])),
            (
                "{\"a\" : 1,\"b\":{\"c\":null}}",
                .object([
                    JSONValue.Member(name: "a", value: .number("1")),
                    JSONValue.Member(name: "b", value: .object([JSONValue.Member(name: "c", value: .null)])),
                ])
            ),
        ] as [(String, JSONValue)]
    )
    func `a text of RFC 8259 has its value`(text: String, value: JSONValue) {
        #expect(Self.value(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "truex", "01", "-", "1.", ".5", "+1", "1e", "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\u+123\"",
        "\"a\nb\"", "[1", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\" 1}",
        "1 2", "'a'", "NaN", "]", "[1}", "{\"a\":1]",
    ])
    func `rejects other texts`(text: String) {
        #expect(Self.value(text) == nil)
    }

    @Test(arguments: [(JSONParser.deepest - 1, true), (JSONParser.deepest, true), (JSONParser.deepest + 1, false)])
    func `accepts nested values up to the limit`(depth: Int, isRead: Bool) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect((Self.value(text) != nil) == isRead)
    }

    @Test(
        arguments: [
            ("2283.0", "2283"), ("2283", "2283"), ("37.50", "37.50"), ("1.0e3", "1.0e3"), ("true", "true"),
            ("\"2.0\"", "2.0"), ("null", nil), ("[]", nil), ("{}", nil),
        ] as [(String, String?)]
    )
    func `a scalar has a text, a whole number without its fraction of zeros`(text: String, scalar: String?) {
        #expect(Self.value(text)?.scalarText == scalar)
    }

    @Test func `a path leads through objects and arrays`() {
        let value = Self.value(#"{"a":{"b":[10,{"c":"x"}]},"a.b":1}"#)
        #expect(value?.value(at: ["a", "b", "1", "c"]) == .text("x"))
        #expect(value?.value(at: ["a", "b", "2"]) == nil)
        #expect(value?.value(at: ["a", "b", "-1"]) == nil)
        #expect(value?.value(at: ["a.b"]) == .number("1"))
        #expect(value?.value(at: ["a", "c"]) == nil)
    }

    @Test func `accepts the same damaged texts as Foundation`() throws {
        let text = #"{"name":"시장 \"5\" \u00e9","at":[126.9,-37.5e0,0],"open":true,"none":null,"in":{"x":[]}}"#
        let alphabet = Array(#"{}[]":,\ u0e-.1x"#.utf8)
        for seed in UInt64(1)...2_000 {
            var numbers = SeededNumbers(seed: seed)
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &numbers) {
                let index = Int.random(in: 0..<bytes.count, using: &numbers)
                bytes[index] = alphabet.randomElement(using: &numbers) ?? 0x20
            }
            // Foundation rejects malformed UTF-8 and single surrogates; here both are the decoder's task.
            guard let damaged = String(validating: bytes, as: UTF8.self) else { continue }
            // Foundation forgives a comma before a bracket, which RFC 8259 does not allow.
            if damaged.contains(", ]") || damaged.contains(",]") { continue }
            let expected = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            let found = JSONParser.value(of: bytes) != nil
            #expect(found == expected, "seed \(seed): \(damaged)")
        }
    }
}
