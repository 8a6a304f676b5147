import PromisedProtocol
import PromisedWire
import SwiftProtobuf

/// Examples of the messages: the frames that ``GoldenFrameTests`` and ``AdminGoldenTests`` record, in JSON.
struct AsyncAPIExamples {
    private var examples: [String: [YAMLNode]] = [:]

    /// The examples of a message by its key, such as `reportRequest`; empty for an unknown message.
    func of(_ key: String) -> [YAMLNode] { examples[key] ?? [] }

    /// One of every message, and of the administrators' two one for each form and each answer.
    static func recorded() throws -> AsyncAPIExamples {
        var result = AsyncAPIExamples()
        for request in RequestSamples.all where !request.isAdmin {
            try result.add(WireClientFrame(id: 7, request: request), "\(name(request))Request")
        }
        for form in AdminFormSamples.all {
            let request = WireAdminRequest.with { $0.request = form }
            try result.add(WireClientFrame(id: 7, request: .admin(request)), "adminRequest", named: name(form))
        }
        for content in ContentSamples.all where !content.isAdmin {
            try result.add(WireServerFrame(id: 7, content: content), "\(name(content))Reply")
        }
        for answer in AdminReplySamples.all {
            let reply = WireAdminReply.with { $0.reply = answer }
            try result.add(WireServerFrame(id: 7, content: .admin(reply)), "adminReply", named: name(answer))
        }
        for event in EventSamples.all {
            try result.add(WireServerFrame(event: event), "\(event.what.map { name($0) } ?? "")Event")
        }
        return result
    }

    private mutating func add(_ frame: WireClientFrame, _ key: String, named name: String? = nil) throws {
        add(try WireCodec.json.encode(frame), key, name)
    }

    private mutating func add(_ frame: WireServerFrame, _ key: String, named name: String? = nil) throws {
        add(try WireCodec.json.encode(frame), key, name)
    }

    private mutating func add(_ json: [UInt8], _ key: String, _ name: String?) {
        let head: YAMLNode = name.map { ["name": .text($0)] } ?? [:]
        examples[key, default: []].append(head.adding(["payload": .json(String(decoding: json, as: UTF8.self))]))
    }

    /// The name of a branch in JSON: `createPromise`.
    static func name(_ branch: Any) -> String { Mirror(reflecting: branch).children.first?.label ?? "" }
}

extension WireRequest {
    fileprivate var isAdmin: Bool { if case .admin = self { true } else { false } }
}

extension WireContent {
    fileprivate var isAdmin: Bool { if case .admin = self { true } else { false } }
}
