import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

// `try await ada.reply(.checkIn(.at(id))).expect(\.arrival)` is the arrival; any other reply fails the test.

extension WireContent {
    /// The content of this kind; any other content fails the test.
    @discardableResult
    func expect<Value>(
        _ kind: WritableKeyPath<WireServerFrame, Value>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        try WireServerFrame.with { $0.content = self }.expect(kind, sourceLocation: sourceLocation)
    }
}

extension WireServerFrame {
    /// The content of a frame of this kind; any other content fails the test.
    @discardableResult
    func expect<Value>(
        _ kind: WritableKeyPath<WireServerFrame, Value>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        // A request of another kind would have an empty value.
        let value = self[keyPath: kind]
        let same = WireServerFrame.with { $0[keyPath: kind] = value }
        try #require(same.content == content, sourceLocation: sourceLocation)
        return value
    }
}

extension WireAdminReply.OneOf_Reply {
    /// The content of a reply of this kind; any other reply fails the test.
    @discardableResult
    func expect<Value>(
        _ kind: WritableKeyPath<WireAdminReply, Value>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        let value = WireAdminReply.with { $0.reply = self }[keyPath: kind]
        let same = WireAdminReply.with { $0[keyPath: kind] = value }
        try #require(same.reply == self, sourceLocation: sourceLocation)
        return value
    }
}
