import Foundation
import PromisedProtocol
import Testing

/// The conversations of `docs/conversations`, frame by frame through the codec.
@Suite struct ConversationTests {
    private static func conversations() throws -> [Conversation] {
        try RepositoryText.files(below: "docs/conversations", withExtension: "jsonc").map { file in
            let title = file.deletingPathExtension().lastPathComponent
            return try Conversation(title: title, text: String(contentsOf: file, encoding: .utf8))
        }
    }

    /// A frame decoded and encoded by the codec, which drops unknown names and values, and `false`.
    private static func rewritten(_ frame: Conversation.Frame) throws -> JSONValue {
        let bytes = Array(frame.text.utf8)
        let codec = WireCodec.json
        let written =
            frame.isFromClient
            ? try codec.encode(codec.decodeClientFrame(bytes)) : try codec.encode(codec.decodeServerFrame(bytes))
        return try JSONValue(String(decoding: written, as: UTF8.self))
    }

    @Test(arguments: [
        "accounts", "friends", "promises", "watching-by-a-link", "live", "resuming", "results", "places", "weather",
        "notifications", "visits", "files", "courses",
    ])
    func `each area has a conversation`(area: String) throws {
        let conversation = try #require(try Self.conversations().first { $0.title == area })
        #expect(conversation.frames.count >= 6)
        let pages = try RepositoryText.documents().map(RepositoryText.read)
        #expect(pages.contains { $0.contains("](conversations/\(area).jsonc)") }, "no page links to it")
    }

    @Test func `every frame equals the codec's output`() throws {
        for conversation in try Self.conversations() {
            for frame in conversation.frames {
                let whole = try JSONValue(frame.text)
                // A client's frame may contain `false`, which the next test requires.
                let shown = frame.isFromClient ? whole.withoutFalse : whole
                #expect(try Self.rewritten(frame) == shown, "in \(conversation.title): \(frame.text)")
            }
        }
    }

    @Test func `no request omits a false value, in any document or transcript`() throws {
        let transcripts = try RepositoryText.paths().filter { path in
            path.contains("/Transcript/Golden/") || path.hasSuffix(".jsonc")
        }
        try #require(!transcripts.isEmpty)
        let finder = UnsaidFlags(schema: try ProtoSchema.current())
        for path in try RepositoryText.documents() + transcripts {
            #expect(finder.frames(in: try RepositoryText.read(path)) == [], "in \(path)")
        }
        #expect(finder.frames(in: try AsyncAPITests.text()) == [])
    }

    @Test(arguments: [
        (#"{ "id": 3, "setSharing": { "promiseId": "p" } }"#, ["setSharing lacks on"]),
        (#"Cid → {"id":9,"respond":{"promiseId":"p"}}"#, ["respond lacks accept"]),
        ("\"setLinkSharing\": {\n  \"promiseId\": \"p\"\n}", ["setLinkSharing lacks on"]),
        (#"{"id":9,"admin":{"kickUser":{"userId":"u"}}}"#, ["kickUser lacks signOut"]),
        (#"{"setSharing":{"promiseId":"}","on":false}} {"respond":{"accept":true}}"#, []),
        // Texts that are not frames, and frames of the server.
        (#"`setSharing` · `respond {promiseId, accept}`"#, []), (#"{"event":{"sharingChanged":{"userId":"u"}}}"#, []),
    ])
    func `finds a request that omits a false value`(text: String, found: [String]) throws {
        #expect(UnsaidFlags(schema: try ProtoSchema.current()).frames(in: text) == found)
    }

    @Test func `every reply answers an earlier request of the same user with its declared kind`() throws {
        let schema = try ProtoSchema.current()
        for conversation in try Self.conversations() {
            var waiting: [String: [JSONValue: String]] = [:]
            for frame in conversation.frames {
                let value = try JSONValue(frame.text)
                guard let id = value["id"] else { continue }
                let name = try #require(value.keys.first { $0 != "id" })
                if frame.isFromClient {
                    let request = try #require(schema.requests.first { $0.name == name })
                    waiting[frame.person, default: [:]][id] = try schema.reply(to: request)
                } else {
                    let expected = waiting[frame.person]?.removeValue(forKey: id)
                    #expect(expected == name || expected != nil && name == "error", "in \(conversation.title): \(name)")
                }
            }
            let unanswered = waiting.values.flatMap(\.values)
            #expect(unanswered == [], "in \(conversation.title)")
        }
    }

    @Test func `durable events have a number, others have none`() throws {
        let schema = try ProtoSchema.current()
        for conversation in try Self.conversations() {
            for frame in conversation.frames {
                for event in Self.events(in: try JSONValue(frame.text)) {
                    let name = try #require(event.keys.first { !["promiseId", "seq", "at"].contains($0) })
                    let kind = try schema.kind(of: try #require(schema.events.first { $0.name == name }))
                    #expect((event["seq"] != nil) == (kind == .durable), "\(name) in \(conversation.title)")
                    #expect((event["promiseId"] == nil) == (kind == .toOneUser), "\(name) in \(conversation.title)")
                }
            }
        }
    }

    @Test func `shows the sentences of the codes`() throws {
        let replies = try Self.conversations().flatMap(\.frames).compactMap { try JSONValue($0.text)["error"] }
        #expect(!replies.isEmpty)
        for reply in replies {
            let code = try #require(ErrorCode.allCases.first { reply["code"] == .text($0.rawValue) })
            #expect(reply["message"] == .text(code.sentence))
            #expect(reply["retry"] == .text(code.retry.rawValue))
        }
    }

    @Test func `shows every event and every request except the administrators'`() throws {
        let schema = try ProtoSchema.current()
        let values = try Self.conversations().flatMap(\.frames).map { try JSONValue($0.text) }
        let requests = Set(schema.requests.map(\.name)).subtracting(["admin"])
        #expect(requests.subtracting(values.flatMap(\.keys)) == [])
        let shown = values.flatMap(Self.events).flatMap(\.keys)
        #expect(Set(schema.events.map(\.name)).subtracting(shown) == [])
    }

    /// The event of a frame, or its missed events.
    private static func events(in frame: JSONValue) -> [JSONValue] {
        if let event = frame["event"] { return [event] }
        guard case .list(let missed)? = frame["subscribed"]?["missed"] else { return [] }
        return missed
    }

    @Test(arguments: [
        // An unknown name, at the top and inside; an invalid value; a default written out.
        #"{"id":1,"getMee":{}}"#, #"{"id":1,"findUser":{"nick":"ada"}}"#,
        #"{"id":1,"listPromises":{"list":"SOON"}}"#, #"{"id":0,"getMe":{}}"#,
    ])
    func `detects an invalid frame`(text: String) throws {
        let frame = Conversation.Frame(person: "Ada", isFromClient: true, text: text)
        let shown = try JSONValue(text)
        #expect(try Self.rewritten(frame) != shown)
    }

    @Test(arguments: ["{}\n", "// Ada\n{}\n", "// → Ada\n{}\n// and\n{}\n"])
    func `a frame without its mark is an error`(text: String) {
        #expect(throws: Conversation.Malformed.self) { try Conversation(title: "accounts", text: text) }
    }
}
