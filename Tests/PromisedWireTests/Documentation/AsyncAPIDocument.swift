import PromisedProtocol
import PromisedWire

@testable import PromisedAccess

/// The protocol's JSON encoding as an AsyncAPI 3.0 document, seen from the server: `asyncapi.yaml` of each release.
///
/// The server receives requests and sends replies and events, all through the one channel at `/ws`. Each request is
/// an operation with its reply (or the error); each kind of frame is a message with a JSON Schema of its payload.
struct AsyncAPIDocument {
    let schema: ProtoSchema
    /// An example of each message, by its key.
    let examples: AsyncAPIExamples

    private var schemasOfMessages: AsyncAPISchemas { AsyncAPISchemas(schema) }

    /// The complete document.
    func node() throws -> YAMLNode {
        [
            "asyncapi": "3.0.0",
            "info": info,
            "defaultContentType": "application/json",
            "servers": servers,
            "channels": ["promised": channel],
            "operations": try operations(),
            "components": ["messages": .map(try messages()), "schemas": .map(try schemas())],
        ]
    }

    // MARK: - Around the messages

    private var info: YAMLNode {
        [
            "title": "promised",
            "version": .text("\(ProtocolVersion.current)"),
            "description": .text(
                "A real-time meetup server: friends see each other on the way, and the server decides the arrivals. "
                    + "This document describes the JSON encoding; binary frames carry the same messages as Protocol Buffers. "
                    + "protocol.md explains the messages and everything else that a client must know. "
                    + "Ranges and lengths apply to a server with default settings. Lengths of texts count grapheme clusters, "
                    + "so a validator that counts code points rejects some texts that the server accepts. "
                    + "Texts also have limits in bytes of UTF-8: `x-max-bytes` as received, "
                    + "`x-max-stored-bytes` after normalising and trimming. The server rejects a longer text with "
                    + "request.invalid, or with the code in `x-beyond`. `x-max-marks` is the number of marks (accents, "
                    + "vowel signs, anything that extends a character) that may follow one another in a text."
            ),
            "x-max-marks": .number(Double(TextRule.largestCharacter)),
        ]
    }

    private var servers: YAMLNode {
        [
            "local": [
                "host": "localhost:8080",
                "protocol": "ws",
                "description": "A server with its default settings, on the same machine.",
            ]
        ]
    }

    private var channel: YAMLNode {
        [
            "address": .text(ProtocolVersion.path),
            "title": "The WebSocket",
            "description": .text(
                "Text frames of the sub-protocol \(WireCodec.json.subprotocol), one message each. "
                    + "From clients at most \(ProtocolVersion.maximumClientFrameBytes) bytes, "
                    + "before the sign-in \(ProtocolVersion.maximumUnauthenticatedFrameBytes); "
                    + "from the server at most \(ProtocolVersion.maximumServerFrameBytes)."
            ),
            "messages": .map(messageKeys.map { ($0, .reference("components/messages/\($0)")) }),
            "bindings": ["ws": ["method": "GET", "bindingVersion": "0.1.0"]],
        ]
    }

    // MARK: - Operations

    private func operations() throws -> YAMLNode {
        let requests = try schema.requests.map { request in (request.name, try operation(for: request)) }
        let events: YAMLNode = [
            "action": "send",
            "channel": .reference("channels/promised"),
            "summary": "An event.",
            "messages": .list(schema.events.map { inChannel("\($0.name)Event") }),
        ]
        return .map(requests + [("event", events)])
    }

    private func operation(for request: ProtoField) throws -> YAMLNode {
        [
            "action": "receive",
            "channel": .reference("channels/promised"),
            "summary": .text(try schema.message(of: request).comment),
            "description": .text(
                "`x-error-codes` lists the codes of errorReply of this request; `x-largest-frame` is the largest size, in "
                    + "bytes, of a frame with this request."
            ),
            "x-error-codes": Self.codes(RequestErrors.own(request.name) ?? []),
            "x-largest-frame": .number(Double(try largestFrame(with: request.name))),
            "messages": [inChannel("\(request.name)Request")],
            "reply": [
                "channel": .reference("channels/promised"),
                "messages": [inChannel("\(try schema.reply(to: request))Reply"), inChannel("errorReply")],
            ],
        ]
    }

    /// - Throws: for a request without a sample, whose declaration is unknown.
    private func largestFrame(with request: String) throws -> Int {
        guard let sample = RequestSamples.all.first(where: { AsyncAPIExamples.name($0) == request }) else {
            throw ProtoSchema.Missing(what: "a sample of \(request)")
        }
        return sample.largestFrame
    }

    private static func codes(_ codes: [ErrorCode]) -> YAMLNode { .list(codes.map { .text($0.rawValue) }) }

    private func inChannel(_ message: String) -> YAMLNode { .reference("channels/promised/messages/\(message)") }

    // MARK: - Messages

    private var messageKeys: [String] {
        schema.requests.map { "\($0.name)Request" } + schema.replies.map { "\($0.name)Reply" }
            + schema.events.map { "\($0.name)Event" }
    }

    private func messages() throws -> [(String, YAMLNode)] {
        let requests = try schema.requests.map { field in
            let id = try idSchema(of: "ClientFrame")
            return ("\(field.name)Request", message(field, try schema.message(of: field).comment, [("id", id)]))
        }
        let replies = try schema.replies.map { field in
            let id = try idSchema(of: "ServerFrame")
            return ("\(field.name)Reply", message(field, try schema.message(of: field).comment, [("id", id)]))
        }
        let messages = requests + replies + schema.events.map { ("\($0.name)Event", event($0)) }
        return messages.map { key, message in
            let common: YAMLNode =
                key != "errorReply"
                ? [:]
                : [
                    "description": "Any request can fail with `x-error-codes`; each operation lists further codes.",
                    "x-error-codes": Self.codes(RequestErrors.common),
                ]
            return (key, message.adding(common).adding(["examples": .list(examples.of(key))]))
        }
    }

    private func message(_ field: ProtoField, _ summary: String, _ others: [(String, YAMLNode)]) -> YAMLNode {
        [
            "name": .text(field.name),
            "summary": .text(summary),
            "correlationId": ["location": "$message.payload#/id"],
            "payload": AsyncAPISchemas.object(others + [(field.name, value(of: field))], [field.name]),
        ]
    }

    private func event(_ field: ProtoField) -> YAMLNode {
        let common = schema.message(named: "Event")?.fields.filter { !$0.isBranch } ?? []
        let members = (common + [field]).map { ($0.name, value(of: $0)) }
        let inside = AsyncAPISchemas.object(members, [field.name])
        return [
            "name": .text(field.name),
            "summary": .text(field.comment),
            "payload": AsyncAPISchemas.object([("event", inside)], ["event"]),
        ]
    }

    private func idSchema(of frame: String) throws -> YAMLNode {
        guard let field = schema.message(named: frame)?.fields.first(where: { $0.name == "id" }) else {
            throw ProtoSchema.Missing(what: "the id of \(frame)")
        }
        return value(of: field)
    }

    /// A field of a frame or of the event around all events.
    private func value(of field: ProtoField) -> YAMLNode { schemasOfMessages.value(of: field, in: "") }

    // MARK: - Schemas

    private func schemas() throws -> [(String, YAMLNode)] {
        let payloads = try messages().map(\.0)
        let frames = [
            ("ClientFrame", "A frame of a client: exactly one request.", payloads.filter { $0.hasSuffix("Request") }),
            ("ServerFrame", "A frame of the server.", payloads.filter { !$0.hasSuffix("Request") }),
        ]
        return frames.map { name, comment, keys in
            let branches = keys.map { YAMLNode.reference("components/messages/\($0)/payload") }
            return (name, ["description": .text(comment), "oneOf": .list(branches)])
        } + schemasOfMessages.all()
    }
}
