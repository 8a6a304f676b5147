import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// The codecs' treatment of unusual and malformed frames (docs/protocol.md#frames).
@Suite struct CodecTests {
    // MARK: - Sub-protocols

    @Test func `sub-protocols have their names and frame kinds`() {
        #expect(WireCodec.json.subprotocol == "promised.v1.json")
        #expect(WireCodec.protobuf.subprotocol == "promised.v1.protobuf")
        #expect(WireCodec.json.isText)
        #expect(!WireCodec.protobuf.isText)
    }

    // MARK: - Escapes

    @Test(.proves("10.1")) func `reads characters of every plane from their escapes`() throws {
        for value in [
            0x10000, 0x1F3F4, 0x1FFFF, 0x20000, 0x20BB7, 0x2F800, 0x30000, 0x3FFFD, 0xE0067, 0xE007F, 0xF0000, 0xFFFFD,
            0x100000, 0x10FFFF,
        ] as [UInt32] {
            let scalar = try #require(Unicode.Scalar(value))
            for isUpper in [true, false] {
                let escapes = String(scalar).utf16.map { "\\u" + String($0, radix: 16, uppercase: isUpper) }.joined()
                let frame = try WireCodec.json.decodeClientFrame(
                    Array(#"{"id":7,"findUser":{"nickname":"\#(escapes)!"}}"#.utf8)
                )
                #expect(frame.findUser.nickname == "\(scalar)!", "\(escapes)")
            }
        }
    }

    @Test(
        .proves("10.1"),
        arguments: [
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}", "\u{20BB7}\u{E0100}", "\u{1FAC6}",
        ]
    )
    func `reads an emoji as one character, escaped or not`(emoji: String) throws {
        let escapes = emoji.utf16.map { "\\u" + String(UInt32($0) + 0x10000, radix: 16).dropFirst() }.joined()
        for text in [emoji, escapes] {
            let frame = try WireCodec.json.decodeClientFrame(Array(#"{"id":7,"setStatus":{"emoji":"\#(text)"}}"#.utf8))
            #expect(frame.setStatus.emoji == emoji && frame.setStatus.emoji.count == 1)
        }
    }

    @Test func `keeps other escapes`() throws {
        for (text, expected) in [
            (#"\\ud83c\\udff4"#, #"\ud83c\udff4"#), (#"\\\ud83c\udff4"#, "\\\u{1F3F4}"),
            (#"\"\\\/\n\u00e9"#, "\"\\/\n\u{E9}"),
            (#"\u00e9\ud83d\ude00\u00e9"#, "\u{E9}\u{1F600}\u{E9}"),
        ] {
            let frame = try WireCodec.json.decodeClientFrame(
                Array(#"{"id":7,"findUser":{"nickname":"\#(text)"}}"#.utf8)
            )
            #expect(frame.findUser.nickname == expected, "\(text)")
        }
        for half in [#"\ud83c"#, #"\udff4"#, #"\ud83c\ud83c"#, #"\ud83cx"#, #"\ud83c\n"#, #"\u12"#] {
            #expect(throws: WireError.malformed(.syntax), "\(half)") {
                try WireCodec.json.decodeClientFrame(Array(#"{"id":7,"findUser":{"nickname":"\#(half)"}}"#.utf8))
            }
        }
    }

    // MARK: - Malformed

    @Test(
        .proves("10.3"),
        arguments: [
            // Not JSON, or not an object.
            ("", .syntax), ("null", .syntax), ("[]", .syntax), ("7", .syntax), ("{", .syntax), ("{}x", .syntax),
            (#"{"id":7,}"#, .syntax), (#"{'id':7}"#, .syntax), (#"{"id":7}{"id":8}"#, .syntax),
            // Invalid ids.
            (#"{"id":-1,"getMe":{}}"#, .syntax), (#"{"id":4294967296,"getMe":{}}"#, .syntax),
            (#"{"id":1.5,"getMe":{}}"#, .syntax), (#"{"id":true,"getMe":{}}"#, .syntax),
            // Wrong types, at the top and deep inside.
            (#"{"id":7,"getMe":[]}"#, .syntax), (#"{"id":7,"getMe":"x"}"#, .syntax),
            (#"{"id":7,"report":{"fixes":{}}}"#, .syntax), (#"{"id":7,"report":{"fixes":[{"seq":"x"}]}}"#, .syntax),
            (#"{"id":7,"respond":{"accept":1}}"#, .syntax), (#"{"id":7,"findUser":{"nickname":7}}"#, .syntax),
            // Numbers and times that JSON does not have.
            (#"{"id":7,"report":{"fixes":[{"latitude":NaN}]}}"#, .syntax),
            (#"{"id":7,"report":{"fixes":[{"latitude":Infinity}]}}"#, .syntax),
            (#"{"id":7,"report":{"fixes":[{"latitude":1e999}]}}"#, .syntax),
            (#"{"id":7,"report":{"sentAt":"yesterday"}}"#, .syntax),
            (#"{"id":7,"report":{"sentAt":1700000000}}"#, .syntax),
            (#"{"id":7,"report":{"sentAt":"2026-13-01T00:00:00Z"}}"#, .syntax),
            // Two requests: different ones, and one twice.
            (#"{"id":7,"getMe":{},"signOut":{}}"#, .severalRequests),
            (#"{"id":7,"getMe":{},"getMe":{}}"#, .severalRequests),
        ] as [(String, WireError.Malformation)]
    )
    func `rejects malformed JSON`(text: String, malformation: WireError.Malformation) {
        #expect(throws: WireError.malformed(malformation)) { try WireCodec.json.decodeClientFrame(Array(text.utf8)) }
    }

    @Test(
        .proves("10.3"),
        arguments: [
            // A truncated tag, number and content, and a length beyond the frame.
            ("80", .syntax), ("08", .syntax), ("0880", .syntax), ("6a01", .syntax), ("6affffffff0f", .syntax),
            // Field number 0, a group that never ends, an end without a start, wire types 6 and 7.
            ("0200", .syntax), ("6b", .syntax), ("6c", .syntax), ("0e", .syntax), ("0f", .syntax),
            // A nickname that is not UTF-8.
            ("7a030a01ff", .syntax),
            // Two requests (getMe is field 13, signOut 10), before and after the id, the same twice, behind a group.
            ("08076a005200", .severalRequests), ("6a0008075200", .severalRequests), ("6a006a00", .severalRequests),
            ("a306a4066a005200", .severalRequests), ("6a00a3066a00a4065200", .severalRequests),
            // A known one beside the last number reserved for requests, 199, and that number twice.
            ("6a00ba0c00", .severalRequests), ("ba0c006a00", .severalRequests), ("ba0c00ba0c00", .severalRequests),
        ] as [(String, WireError.Malformation)]
    )
    func `rejects malformed Protocol Buffers`(hex: String, malformation: WireError.Malformation) {
        #expect(throws: WireError.malformed(malformation)) { try WireCodec.protobuf.decodeClientFrame(Hex.bytes(hex)) }
    }

    @Test func `nesting has a limit in both codecs`() {
        let deepJSON = #"{"id":7,"getMe":{"x":"# + String(repeating: "[", count: 60_000)
        #expect(throws: WireError.self) { try WireCodec.json.decodeClientFrame(Array(deepJSON.utf8)) }
        let deepObjects = #"{"id":7,"x":"# + String(repeating: #"{"x":"#, count: 12_000)
        #expect(throws: WireError.self) { try WireCodec.json.decodeClientFrame(Array(deepObjects.utf8)) }
        // Field 1000 as a group inside itself.
        let deepGroups = [UInt8](repeating: 0, count: 20_000).flatMap { _ in [0xC3, 0x3E] as [UInt8] }
        #expect(throws: WireError.self) { try WireCodec.protobuf.decodeClientFrame(deepGroups) }
    }

    // MARK: - Unknown

    @Test(
        .proves("10.2", "request.unknown"),
        arguments: [
            #"{"id":7,"danceTango":{"with":["you"]}}"#, #"{"id":7}"#, #"{"danceTango":1,"id":7}"#,
            #"{"id":7,"getMe":null}"#,
            #"{"id":"7"}"#,
        ]
    )
    func `JSON without a known request is a frame with its id`(text: String) throws {
        let frame = try WireCodec.json.decodeClientFrame(Array(text.utf8))
        #expect(frame.id == 7)
        #expect(frame.request == nil)
    }

    @Test(
        .proves("10.2"),
        arguments: [
            // Only the id; an unknown field 1000 with a number, with a message; getMe as a number; a request of a
            // later version (199).
            "0807", "0807c03e01", "c23e020801" + "0807", "08076801", "0807ba0c00",
        ]
    )
    func `Protocol Buffers without a known request are a frame with its id`(hex: String) throws {
        let frame = try WireCodec.protobuf.decodeClientFrame(Hex.bytes(hex))
        #expect(frame.id == 7)
        #expect(frame.request == nil)
    }

    @Test func `an empty message is an unknown request without an id`() throws {
        #expect(try WireCodec.json.decodeClientFrame(Array("{}".utf8)) == WireClientFrame())
        #expect(try WireCodec.protobuf.decodeClientFrame([]) == WireClientFrame())
        #expect(!WireClientFrame().wantsReply)
    }

    @Test(.proves("10.2")) func `ignores unknown fields beside a known request`() throws {
        let expected = WireClientFrame(id: 7, request: .findUser(.with { $0.nickname = "ada" }))
        let json = #"{"trace":{"a":[1,{"b":null}]},"id":7,"findUser":{"nickname":"ada","exact":true},"danceTango":{}}"#
        #expect(try WireCodec.json.decodeClientFrame(Array(json.utf8)) == expected)
        // Unknown field 1000 before, inside and after findUser (15), and field 200, the first behind those of requests.
        let hex = "c03e01" + "0807" + "7a08" + "0a03616461" + "c03e02" + "c23e00" + "c20c00"
        #expect(try WireCodec.protobuf.decodeClientFrame(Hex.bytes(hex)) == expected)
    }

    @Test func `reads unknown enumeration values as unknown`() throws {
        let text = #"{"id":7,"listPromises":{"list":"SOMEDAY","limit":5}}"#
        let frame = try WireCodec.json.decodeClientFrame(Array(text.utf8))
        #expect(frame.listPromises.list == .unspecified)
        #expect(frame.listPromises.limit == 5)

        let bytes = try WireCodec.protobuf.encode(
            WireClientFrame(id: 7, request: .listPromises(.with { $0.list = .UNRECOGNIZED(99) }))
        )
        #expect(try WireCodec.protobuf.decodeClientFrame(bytes).listPromises.list == .UNRECOGNIZED(99))
    }

    // MARK: - Values that decode and are wrong

    @Test(arguments: [("NaN", true), ("Infinity", false), ("-Infinity", false)])
    func `keeps quoted numbers that are not finite`(text: String, isNaN: Bool) throws {
        let json = #"{"id":7,"report":{"fixes":[{"seq":1,"latitude":"\#(text)","longitude":2}]}}"#
        let frame = try WireCodec.json.decodeClientFrame(Array(json.utf8))
        let latitude = try #require(frame.report.fixes.first).latitude
        #expect(latitude.isNaN == isNaN)
        #expect(!latitude.isFinite)
    }

    @Test func `presence distinguishes an absent number from 0`() throws {
        let json = #"{"id":7,"report":{"fixes":[{"seq":1,"accuracyMetres":0,"mock":false},{"seq":2}]}}"#
        let fixes = try WireCodec.json.decodeClientFrame(Array(json.utf8)).report.fixes
        #expect(fixes[0].hasAccuracyMetres)
        #expect(fixes[0].hasMock)
        #expect(!fixes[1].hasAccuracyMetres)
        #expect(!fixes[1].hasMock)
        #expect(!fixes[1].hasRecordedAt)
    }

    @Test func `a timestamp that JSON cannot represent is an error, not a crash`() {
        let welcome = WireWelcome.with { $0.serverTime.seconds = .max }
        let frame = WireServerFrame(id: 7, content: .welcome(welcome))
        #expect(throws: WireError.unencodable) { try WireCodec.json.encode(frame) }
    }

    @Test func `a client ignores unknown content and events`() throws {
        let reply = try WireCodec.json.decodeServerFrame(Array(#"{"id":7,"tomorrow":{}}"#.utf8))
        #expect(reply.id == 7)
        #expect(reply.content == nil)
        let event = try WireCodec.json.decodeServerFrame(Array(#"{"event":{"seq":3,"tomorrow":{}}}"#.utf8))
        #expect(event.event.seq == 3)
        #expect(event.event.what == nil)
    }

    @Test func `descriptions of errors contain none of the peer's data`() {
        #expect(WireError.malformed(.severalRequests).description == "malformed frame: several requests")
        #expect(WireError.invalid(field: "place.latitude").description == "invalid value: place.latitude")
        #expect(WireError.unencodable.description == "message cannot be encoded")
    }
}
