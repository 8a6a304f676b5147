import Foundation
import SwiftProtobuf
import Testing

@testable import PromisedProtocol
@testable import PromisedWire

/// Every message of the protocol in both encodings, as recorded.
@Suite struct GoldenFrameTests {
    @Test(arguments: RequestSamples.all)
    func `encodes and decodes a request as recorded`(request: WireRequest) throws {
        let frame = WireClientFrame(id: 7, request: request)
        let name = try "requests/\(Self.name(ofJSON: WireCodec.json.encode(frame)))"
        for codec in WireCodec.allCases {
            try expectGolden(codec.encode(frame), codec, name)
            #expect(try codec.decodeClientFrame(recorded(codec, name)) == frame)
        }
    }

    @Test(arguments: ContentSamples.all)
    func `encodes and decodes a reply as recorded`(content: WireContent) throws {
        let frame = WireServerFrame(id: 7, content: content)
        let name = try "replies/\(Self.name(ofJSON: WireCodec.json.encode(frame)))"
        for codec in WireCodec.allCases {
            try expectGolden(codec.encode(frame), codec, name)
            #expect(try codec.decodeServerFrame(recorded(codec, name)) == frame)
        }
    }

    @Test(arguments: EventSamples.all)
    func `encodes and decodes an event as recorded`(event: WireEvent) throws {
        let frame = WireServerFrame(event: event)
        let name = try "events/\(Self.name(ofEvent: WireCodec.json.encode(frame)))"
        for codec in WireCodec.allCases {
            try expectGolden(codec.encode(frame), codec, name)
            #expect(try codec.decodeServerFrame(recorded(codec, name)) == frame)
        }
    }

    @Test func `every request of the schema has a sample and a recording`() throws {
        let known = Self.probe { try? WireCodec.protobuf.decodeClientFrame($0).request != nil }
        let sampled = try RequestSamples.all.map { try Self.number(of: WireClientFrame(id: 0, request: $0)) }
        #expect(sampled.sorted() == known)
        #expect(known == Array(WireClientFrame.requestFieldNumbers.prefix(known.count)))
        #expect(WireClientFrame.requestFieldNumbers == 2...199)
        try expectRecordings(in: "requests", count: known.count)
    }

    @Test func `every reply of the schema has a sample and a recording`() throws {
        let known = Self.probe { try? WireCodec.protobuf.decodeServerFrame($0).content != nil }
        let contents = ContentSamples.all + [.event(EventSamples.all[0])]
        let sampled = try contents.map { try Self.number(of: WireServerFrame(id: 0, content: $0)) }
        #expect(sampled.sorted() == known)
        try expectRecordings(in: "replies", count: known.count - 1)
    }

    @Test func `every event of the schema has a sample and a recording`() throws {
        let known = Self.probe { bytes in
            try? WireCodec.protobuf.decodeServerFrame([0x12, UInt8(bytes.count)] + bytes).event.what != nil
        }
        let sampled = try EventSamples.all.map { event in
            let bare = WireEvent.with { $0.what = event.what }
            let bytes = try WireCodec.protobuf.encode(WireServerFrame(event: bare))
            return try Self.firstNumber(in: Self.content(of: bytes))
        }
        #expect(sampled.sorted() == known)
        try expectRecordings(in: "events", count: known.count)
    }

    // MARK: -

    private func expectGolden(_ bytes: [UInt8], _ codec: WireCodec, _ name: String) throws {
        let text = codec.isText ? String(decoding: bytes, as: UTF8.self) : Hex.text(bytes)
        try Golden.expect(text, matches: "\(name).\(codec.isText ? "json" : "hex")")
    }

    private func recorded(_ codec: WireCodec, _ name: String) throws -> [UInt8] {
        switch codec {
        case .json: try Array(Golden.read("\(name).json").utf8)
        case .protobuf: try Hex.bytes(Golden.read("\(name).hex"))
        }
    }

    private func expectRecordings(in folder: String, count: Int) throws {
        // While recording, files of other tests may still be missing.
        if Golden.isRecording { return }
        #expect(try Golden.names(in: folder).count == 2 * count)
    }

    /// The field numbers from 2 on that accept an empty message.
    private static func probe(_ isKnown: ([UInt8]) -> Bool?) -> [UInt64] {
        (2...200).filter { isKnown(tag($0) + [0]) == true }.map(UInt64.init)
    }

    /// The tag of a length-delimited field.
    private static func tag(_ number: Int) -> [UInt8] {
        let value = number << 3 | 2
        return value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128), UInt8(value >> 7)]
    }

    private static func number(of frame: WireClientFrame) throws -> UInt64 {
        try firstNumber(in: WireCodec.protobuf.encode(frame))
    }

    private static func number(of frame: WireServerFrame) throws -> UInt64 {
        try firstNumber(in: WireCodec.protobuf.encode(frame))
    }

    private static func firstNumber(in bytes: [UInt8]) throws -> UInt64 {
        var fields = ProtobufFields(bytes)
        let first = fields.next()
        return try #require(first).number
    }

    /// The bytes behind the tag (one byte) and the length (a varint) of a frame's only field.
    private static func content(of bytes: [UInt8]) -> [UInt8] {
        let afterTag = bytes.dropFirst()
        return Array(afterTag.drop { $0 >= 128 }.dropFirst())
    }

    private static func name(ofJSON bytes: [UInt8]) throws -> String {
        try onlyKey(of: object(bytes), besides: ["id"])
    }

    private static func name(ofEvent bytes: [UInt8]) throws -> String {
        let event = try #require(try object(bytes)["event"] as? [String: Any])
        return try onlyKey(of: event, besides: ["promiseId", "seq", "at"])
    }

    private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func onlyKey(of object: [String: Any], besides others: Set<String>) throws -> String {
        let keys = Set(object.keys).subtracting(others)
        try #require(keys.count == 1)
        return try #require(keys.first)
    }
}
