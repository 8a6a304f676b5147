import Testing

/// The texts that clients send: a list for tests that have no schema at hand.
@Suite struct RequestTextTests {
    @Test func `the list of texts in requests equals the schema's`() throws {
        let schema = try ProtoSchema.current()
        let paths = try schema.requests.flatMap { try Self.texts(below: $0, in: schema) }
        #expect(paths.contains("admin.createPromise.promise.place.name"))
        #expect(paths.contains("createPromise.inviteeIds[]"))
        try Golden.expect(paths.joined(separator: "\n"), matches: "request-texts.txt")
    }

    /// The paths in JSON of the texts in a field, `[]` behind the name of a list.
    private static func texts(below field: ProtoField, in schema: ProtoSchema) throws -> [String] {
        let name = field.name + (field.isRepeated ? "[]" : "")
        switch field.type {
        case .text: return [name]
        case .message(let type):
            let fields = try #require(schema.message(named: type)).fields
            return try fields.flatMap { try texts(below: $0, in: schema) }.map { "\(name).\($0)" }
        case .bytes, .flag, .number, .signed, .unsigned, .instant, .enumeration: return []
        }
    }
}
