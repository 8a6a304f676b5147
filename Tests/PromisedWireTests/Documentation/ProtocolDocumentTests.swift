import Testing

/// `docs/reference.md`, generated from the schema, and `docs/protocol.md`, which explains it.
@Suite struct ProtocolDocumentTests {
    private static let path = "docs/reference.md"

    @Test func `the generated tables follow the schema and the codes`() throws {
        let schema = try ProtoSchema.current()
        var document = MarkedDocument(try RepositoryText.read(Self.path))
        for part in ProtocolTables.allCases { try document.replace(part.rawValue, with: part.markdown(schema)) }
        try RepositoryText.expect(document.text, matches: Self.path)
    }

    @Test func `marks nothing else as generated`() throws {
        let document = MarkedDocument(try RepositoryText.read(Self.path))
        #expect(document.names.sorted() == ProtocolTables.allCases.map(\.rawValue).sorted())
    }

    @Test func `every request has a reply, and every reply a request`() throws {
        let schema = try ProtoSchema.current()
        let named = Set(try schema.requests.map { try schema.reply(to: $0) })
        #expect(schema.requests.count > 40)
        #expect(named == Set(schema.replies.map(\.name)).subtracting(["error"]))
    }

    @Test func `every event is durable, transient or for one user`() throws {
        let schema = try ProtoSchema.current()
        let kinds = try schema.events.map { try schema.kind(of: $0) }
        #expect(Set(kinds) == Set(EventKind.allCases))
    }

    @Test func `every message, enumeration and value has a description`() throws {
        for message in try ProtoSchema.current().messages {
            // The event's nested messages are described at its branches.
            #expect(!message.comment.isEmpty || message.name.hasPrefix("Event."), "\(message.name) has no comment")
            for value in message.values { #expect(!value.comment.isEmpty, "\(value.name) has no comment") }
        }
    }

    @Test(arguments: [path, "docs/protocol.md"], ["\u{A7}1", "shared\u{2F}", "domain.md", "TODO"])
    func `the document refers to no other rules`(path: String, text: String) throws {
        let document = try RepositoryText.read(path)
        #expect(!document.contains(text))
    }
}
