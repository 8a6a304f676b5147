import Crypto
import Foundation
import PromisedProtocol
import PromisedWire
import Testing

/// `asyncapi.yaml` of each release: complete, and valid for every recorded frame. The repository has only its digest.
@Suite struct AsyncAPITests {
    private static func document() throws -> YAMLNode { try loaded.get() }

    private static let loaded = Result { try AsyncAPIDocument(schema: .current(), examples: .recorded()).node() }

    /// The document as a release contains it.
    static func text() throws -> String { try "# Generated from proto/promised/v1.\n" + document().yaml }

    @Test func `the digest of the document equals the recorded one`() throws {
        let text = Data(try Self.text().utf8)
        // scripts/generate --asyncapi names a file for it.
        if let path = ProcessInfo.processInfo.environment["ASYNCAPI_FILE"] { try text.write(to: URL(filePath: path)) }
        let digest = SHA256.hash(data: text).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        try Golden.expect(digest.joined(), matches: "asyncapi.sha256")
    }

    // MARK: - The form of AsyncAPI 3.0

    @Test func `the document has all fields required by AsyncAPI and no unknown ones`() throws {
        let document = try Self.document()
        #expect(document["asyncapi"] == "3.0.0")
        #expect(document["info"]?["title"] != nil)
        #expect(document["info"]?["version"] != nil)
        let known: Set = [
            "asyncapi", "id", "info", "servers", "defaultContentType", "channels", "operations", "components",
        ]
        #expect(Set(document.entries.map(\.key)).subtracting(known) == [])
        for server in document["servers"]?.entries ?? [] {
            #expect(server.value["host"] != nil)
            #expect(server.value["protocol"] != nil)
        }
        for operation in document["operations"]?.entries ?? [] {
            #expect(["send", "receive"].contains(operation.value["action"]?.string))
            #expect(operation.value["channel"]?["$ref"] == "#/channels/promised")
        }
        for message in document["components"]?["messages"]?.entries ?? [] {
            #expect(message.value["payload"] != nil, "\(message.key) has no payload")
        }
    }

    @Test func `keys of components are words, and unique`() throws {
        try expectSoundKeys(Self.document(), at: "the document")
        for kind in try #require(Self.document()["components"]).entries {
            for entry in kind.value.entries { #expect(entry.key.wholeMatch(of: /[\w.-]+/) != nil) }
        }
    }

    private func expectSoundKeys(_ node: YAMLNode, at place: String) {
        let keys = node.entries.map(\.key)
        #expect(Set(keys).count == keys.count, "\(place) holds a key twice")
        for entry in node.entries { expectSoundKeys(entry.value, at: entry.key) }
        for item in node.items { expectSoundKeys(item, at: place) }
    }

    @Test func `every reference has a target`() throws {
        let document = try Self.document()
        #expect(document.references.count > 300)
        for reference in document.references {
            #expect(document.target(of: reference) != nil, "\(reference) leads nowhere")
        }
    }

    @Test func `every message is used by an operation, every schema by something`() throws {
        let document = try Self.document()
        let used = Set(try #require(document["operations"]).references)
        for message in try #require(document["components"]?["messages"]).entries {
            #expect(used.contains("#/channels/promised/messages/\(message.key)"), "\(message.key) is not used")
        }
        let references = Set(document.references)
        for schema in try #require(document["components"]?["schemas"]).entries where !schema.key.hasSuffix("Frame") {
            #expect(references.contains("#/components/schemas/\(schema.key)"), "\(schema.key) is not used")
        }
    }

    // MARK: - Frames

    private static let id = SampleValues.promiseID
    private static let long = String(repeating: "x", count: 200)
    /// 2,048 bytes of 1,024 characters.
    private static let heavy = String(repeating: "é", count: 1_024)

    private static func fits(_ json: String, _ frame: String) throws -> Bool {
        let document = try document()
        return SchemaCheck(document: document).fits(try JSONValue(json), .reference("components/schemas/\(frame)"))
    }

    @Test(
        arguments: [
            ("requests", "ClientFrame"), ("admin-forms", "ClientFrame"), ("replies", "ServerFrame"),
            ("admin-replies", "ServerFrame"), ("events", "ServerFrame"),
        ]
    )
    func `every recorded frame fits exactly one message`(folder: String, frame: String) throws {
        let document = try Self.document()
        let check = SchemaCheck(document: document)
        for name in try Golden.names(in: folder) where name.hasSuffix(".json") {
            let value = try JSONValue(Golden.read("\(folder)/\(name)"))
            #expect(check.fits(value, .reference("components/schemas/\(frame)")), "\(name)")
        }
    }

    @Test(
        arguments: [
            // Correct, with an unknown field.
            (#"{"id":1,"getMe":{"deep":true}}"#, true), (#"{"getMe":{}}"#, true),
            // No request, two, an unknown one.
            (#"{"id":1}"#, false), (#"{"id":1,"getMe":{},"signOut":{}}"#, false), (#"{"id":1,"dance":{}}"#, false),
            // Numbers at the ends of their ranges and beyond.
            (#"{"id":4294967295,"getMe":{}}"#, true), (#"{"id":4294967296,"getMe":{}}"#, false),
            (#"{"id":-1,"getMe":{}}"#, false), (#"{"id":1.5,"getMe":{}}"#, false),
            (##"{"subscribe":{"promiseId":"\##(id)","lastSeq":4294967295}}"##, true),
            (##"{"subscribe":{"promiseId":"\##(id)","lastSeq":4294967296}}"##, false),
            (##"{"listFriends":{"limit":1}}"##, true), (##"{"listFriends":{"limit":0}}"##, false),
            // Lengths, patterns and lists.
            (##"{"updateMe":{"nickname":"ad"}}"##, true), (##"{"updateMe":{"nickname":"a"}}"##, false),
            (##"{"cancelPromise":{"promiseId":"\##(id)","reason":"\##(long)"}}"##, true),
            (##"{"cancelPromise":{"promiseId":"\##(id)","reason":"\##(long)x"}}"##, false),
            (##"{"changePassword":{"oldPassword":"\##(heavy)","newPassword":"12345678"}}"##, true),
            (##"{"changePassword":{"oldPassword":"\##(heavy)é","newPassword":"12345678"}}"##, false),
            (##"{"updatePromise":{"promiseId":"\##(id)","penalty":{"currency":"EUR"}}}"##, true),
            (##"{"updatePromise":{"promiseId":"\##(id)","penalty":{"currency":"eur"}}}"##, false),
            (##"{"report":{"fixes":[]}}"##, false),
            // Required fields.
            (##"{"getPromise":{}}"##, false), (##"{"updatePromise":{"promiseId":"\##(id)","penalty":{}}}"##, false),
            (##"{"requestFriend":{}}"##, false), (##"{"requestFriend":{"nickname":"ada"}}"##, true),
            (##"{"requestFriend":{"userId":"\##(id)"}}"##, true),
            // Types, enumerations and times, at the top and inside.
            (#"{"findUser":{"nickname":7}}"#, false), (#"{"respond":{"accept":1}}"#, false), (#"{"getMe":[]}"#, false),
            (#"{"listPromises":{"list":"PAST"}}"#, true), (#"{"listPromises":{"list":"past"}}"#, false),
            (#"{"report":{"fixes":[{"recordedAt":"2026-11-21T09:00:00Z"}]}}"#, true),
            (#"{"report":{"fixes":[{"recordedAt":"2026-11-21 09:00"}]}}"#, false),
            (#"{"report":{"fixes":{}}}"#, false),
        ] as [(String, Bool)]
    )
    func `the schemas reject anything but a frame`(json: String, isFrame: Bool) throws {
        #expect(try Self.fits(json, "ClientFrame") == isFrame)
    }

    // MARK: - Ranges

    @Test func `the document has the server's range of every text, number and list in a request`() throws {
        let schemas = AsyncAPISchemas(try .current())
        #expect(schemas.asking.count > 150)
        for (field, message) in schemas.asking {
            #expect(FieldRule(of: field, in: message) != nil, "\(message).\(field.name)")
        }
    }

    @Test func `the ranges of requests equal the recorded ones of the server's tests`() throws {
        let lines = RequestRanges(document: try Self.document()).lines()
        try Golden.expect(lines.joined(separator: "\n"), matches: "request-ranges.txt")
    }

    @Test func `the document has the maximal frame size of every request`() throws {
        let operations = try #require(Self.document()["operations"])
        for request in RequestSamples.all {
            let name = AsyncAPIExamples.name(request)
            #expect(operations[name]?["x-largest-frame"] == .number(Double(request.largestFrame)), "\(name)")
        }
        let sizes = Set(operations.entries.compactMap { $0.value["x-largest-frame"]?.number })
        #expect(sizes == [16_384, 65_536])
    }

    // MARK: - Error codes

    @Test func `the document has the error codes of every request`() throws {
        let document = try Self.document()
        let common = try #require(document["components"]?["messages"]?["errorReply"]?["x-error-codes"]).items
        var named = Set(common.compactMap(\.string))
        var lines: [String] = []
        for request in try ProtoSchema.current().requests {
            let unknown = (RequestErrors.declared[request.name] ?? []).filter { ErrorCode(rawValue: $0) == nil }
            #expect(RequestErrors.own(request.name) != nil && unknown.isEmpty, "\(request.name): \(unknown)")
            let own = try #require(document["operations"]?[request.name]?["x-error-codes"]).items
            #expect(Set(own).isDisjoint(with: common), "\(request.name)")
            lines.append(([.text(request.name)] + own + common).compactMap(\.string).joined(separator: " "))
            if request.name != "admin" { named.formUnion(own.compactMap(\.string)) }
        }
        // A code of administrators' forms only.
        named.insert(ErrorCode.placeBusy.rawValue)
        let ofFixes = try #require(document["components"]?["schemas"]?["RejectedFix"]?["properties"]?["code"])
        #expect(
            named.union(ofFixes["x-error-codes"]?.items.compactMap(\.string) ?? [])
                == Set(ErrorCode.allCases.map(\.rawValue))
        )
        try Golden.expect(lines.joined(separator: "\n"), matches: "request-errors.txt")
    }

    // MARK: - Examples

    @Test func `every message has an example, and each fits its own message`() throws {
        let document = try Self.document()
        let check = SchemaCheck(document: document)
        for message in try #require(document["components"]?["messages"]).entries {
            let payload = try #require(message.value["payload"])
            let examples = message.value["examples"]?.items ?? []
            #expect(!examples.isEmpty, "\(message.key) has no example")
            for example in examples {
                guard case .json(let text)? = example["payload"] else {
                    Issue.record("an example of \(message.key) has no payload")
                    continue
                }
                #expect(check.fits(try JSONValue(text), payload), "\(message.key): \(text)")
            }
        }
    }

    @Test func `names an example of the administrators' message after its form`() throws {
        let messages = try #require(Self.document()["components"]?["messages"])
        for (key, branches) in [("adminRequest", "AdminRequest"), ("adminReply", "AdminReply")] {
            let names = messages[key]?["examples"]?.items.compactMap { $0["name"]?.string } ?? []
            #expect(names.sorted() == (try ProtoSchema.current().branches(of: branches).map(\.name).sorted()))
        }
    }

    // MARK: - The text

    @Test func `quotes texts that YAML could misread`() {
        let node: YAMLNode = [
            "on": true, "plain words": "a b/c.d", "empty": "", "version": "1", "NO": "null", "colon": "a: \"b\"\n\\",
            "list": [["a": 1, "b": [:]], [], "x"], "big": 1_000_000_000_000_000, "part": .number(-0.5),
            "json": .json(#"{"a":[1,"b"]}"#),
        ]
        #expect(
            node.yaml == """
                "on": true
                plain words: a b/c.d
                empty: ""
                version: "1"
                "NO": "null"
                colon: "a: \\"b\\"\\n\\\\"
                list:
                  - a: 1
                    b: {}
                  - []
                  - x
                big: 1000000000000000
                part: -0.5
                json: {"a":[1,"b"]}

                """
        )
    }
}
