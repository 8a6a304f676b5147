import Foundation
import SwiftProtobuf
import Testing

@testable import PromisedProtocol
@testable import PromisedWire

/// Every form of the administrators' request and every reply to one in both encodings, as recorded.
@Suite struct AdminGoldenTests {
    @Test(arguments: AdminFormSamples.all)
    func `encodes and decodes a form as recorded`(form: AdminFormSamples.Form) throws {
        let request = WireAdminRequest.with { $0.request = form }
        let frame = WireClientFrame(id: 7, request: .admin(request))
        for codec in WireCodec.allCases {
            let bytes = try codec.encode(frame)
            try expect(bytes, codec, recordedAs: "admin-forms/\(try name(form))")
            #expect(try codec.decodeClientFrame(bytes) == frame)
        }
    }

    @Test(arguments: AdminReplySamples.all)
    func `encodes and decodes a reply to a form as recorded`(answer: AdminReplySamples.Reply) throws {
        let reply = WireAdminReply.with { $0.reply = answer }
        let frame = WireServerFrame(id: 7, content: .admin(reply))
        for codec in WireCodec.allCases {
            let bytes = try codec.encode(frame)
            try expect(bytes, codec, recordedAs: "admin-replies/\(try name(answer))")
            #expect(try codec.decodeServerFrame(bytes) == frame)
        }
    }

    @Test func `every form and reply of the schema has a sample and a recording`() throws {
        let schema = try ProtoSchema.current()
        let forms = schema.branches(of: "AdminRequest").map(\.name).sorted()
        let replies = schema.branches(of: "AdminReply").map(\.name).sorted()
        #expect(try AdminFormSamples.all.map { try name($0) }.sorted() == forms)
        #expect(try AdminReplySamples.all.map { try name($0) }.sorted() == replies)
        // While recording, files of other tests may still be missing.
        if Golden.isRecording { return }
        #expect(try Golden.names(in: "admin-forms").count == 2 * forms.count)
        #expect(try Golden.names(in: "admin-replies").count == 2 * replies.count)
    }

    @Test func `every form has a reply, and every reply a form`() throws {
        let schema = try ProtoSchema.current()
        let named = Set(try schema.branches(of: "AdminRequest").map { try schema.reply(to: $0) })
        #expect(named == Set(schema.branches(of: "AdminReply").map(\.name)))
    }

    private func expect(_ bytes: [UInt8], _ codec: WireCodec, recordedAs name: String) throws {
        let text = codec.isText ? String(decoding: bytes, as: UTF8.self) : Hex.text(bytes)
        try Golden.expect(text, matches: "\(name).\(codec.isText ? "json" : "hex")")
    }

    /// The name of a branch in JSON: `findUsers`.
    private func name(_ branch: Any) throws -> String { try #require(Mirror(reflecting: branch).children.first?.label) }
}
