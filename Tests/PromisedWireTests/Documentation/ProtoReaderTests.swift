import Testing

@Suite struct ProtoReaderTests {
    private static func schema(_ text: String) throws -> ProtoSchema {
        try ProtoReader.schema(of: [("sample", text)])
    }

    @Test func `reads messages, fields, branches and values with their comments`() throws {
        let schema = try Self.schema(
            """
            syntax = "proto3";
            // Lost: a blank line follows.

            // One.
            // And more.
            message Outer {
              // When.
              optional google.protobuf.Timestamp ends_at_ms = 1;
              oneof what {
                // Inside.
                Inner inner = 2;
              }
              message Inner {}
            }
            // Which.
            message Kind {
              enum Value {
                UNSPECIFIED = 0;
                // Good.
                GOOD_ONE = 1;
              }
            }
            """
        )
        #expect(schema.messages.map(\.name) == ["Outer", "Outer.Inner", "Kind"])
        #expect(schema.messages[0].comment == "One. And more.")
        #expect(
            schema.messages[0].fields == [
                ProtoField(name: "endsAtMs", type: .instant, isOptional: true, comment: "When."),
                ProtoField(name: "inner", type: .message("Outer.Inner"), isBranch: true, comment: "Inside."),
            ]
        )
        #expect(schema.messages[2].values == [ProtoValue(name: "GOOD_ONE", comment: "Good.")])
        #expect(schema.messages[2].isEnumeration)
    }

    @Test func `skips options of fields, on one line or on several`() throws {
        let schema = try Self.schema(
            """
            message A {
              string b = 1 [(options.allows).id = true];
              string e = 4 [
                (options.allows).id = true,
                (options.argument).label = "_"
              ];
              oneof what {
                C c = 2 [(options.request) = {
                  from: USER
                  errors: [
                    "a.b"
                  ]
                }];
                C d = 3;
              }
            }
            message C {}
            """
        )
        #expect(schema.messages.map { $0.fields.map(\.name) } == [["b", "e", "c", "d"], []])
    }

    @Test(arguments: [
        // A map, a field outside a message, a value outside an enumeration, a brace too many, one too few, a service.
        "message A {\n  map<string, string> b = 1;\n}", "string a = 1;", "message A {\n  B = 1;\n}", "}", "message A {",
        "service A {\n}",
    ])
    func `unknown syntax is an error`(text: String) {
        #expect(throws: ProtoReader.Unreadable.self) { try Self.schema(text) }
    }

    @Test func `a request without a reply and an event without a kind are errors`() throws {
        let schema = try Self.schema(
            """
            // Request: dance.
            message Dance {}
            message ClientFrame {
              oneof request {
                Dance dance = 2;
              }
            }
            message Event {
              oneof what {
                // A dance.
                Dance danced = 4;
              }
            }
            """
        )
        #expect(throws: ProtoSchema.Missing(what: "the reply to dance")) { try schema.reply(to: schema.requests[0]) }
        #expect(throws: ProtoSchema.Missing(what: "the kind of danced")) { try schema.kind(of: schema.events[0]) }
    }

    @Test func `finds and replaces parts of a document by their comments`() throws {
        var document = MarkedDocument("a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb\n")
        #expect(document.names == ["x"])
        #expect(try document.part("x") == "old")
        try document.replace("x", with: "new")
        #expect(document.text == "a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb\n")
        #expect(throws: MarkedDocument.Fault.unknown("y")) { try document.part("y") }
    }

    @Test(arguments: [
        "<!-- generated: x -->", "<!-- end: x --><!-- generated: x -->",
        "<!-- generated: x --><!-- end: x --><!-- end: x -->",
    ])
    func `unpaired comments are an error`(text: String) {
        #expect(throws: MarkedDocument.Fault.unpaired("x")) { try MarkedDocument(text).part("x") }
    }
}
