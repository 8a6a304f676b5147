import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// The unknown fields of a client's frame, for strict connections.
@Suite struct UnknownFieldTests {
    @Test(
        .proves("10.2"),
        arguments: [
            (#"{"id":1,"subscribe":{"promiseId":"x","seq":5}}"#, "subscribe.seq"),
            (#"{"id":1,"subscribe":{"promiseId":"x","lastSeq":5}}"#, nil),
            (#"{"id":1,"subscribe":{"promise_id":"x","last_seq":5}}"#, nil),
            (#"{"id":1,"colour":"red","getMe":{}}"#, "colour"), (#"{"id":1,"getMe":{},"colour":{"a":1}}"#, "colour"),
            (#"{"id":1,"report":{"fixes":[{"seq":1},{"seq":2,"lat":1}]}}"#, "report.fixes[1].lat"),
            (#"{"id":1,"createPromise":{"place":{"name":"x","lng":1}}}"#, "createPromise.place.lng"),
            (#"{"id":1,"hello":{"token":"t","client":{"nam":"x"}}}"#, "hello.client.nam"),
            (#"{"id":1,"admin":{"createUser":{"mail":"x"}}}"#, "admin.createUser.mail"),
            // An unknown name of an enumeration.
            (#"{"id":1,"listPromises":{"list":"UPCOMMING"}}"#, "listPromises.list"),
            (#"{"id":1,"listPromises":{"list":"UPCOMING"}}"#, nil),
            (#"{"id":1,"dance":{"steps":3}}"#, "dance"), ("{}", nil),
            // A name that no field can have is not repeated.
            (#"{"id":1,"subscribe":{"a b":1}}"#, "subscribe"),
        ] as [(String, String?)]
    )
    func `names an unknown field by its path in JSON`(frame: String, path: String?) throws {
        let bytes = Array(frame.utf8)
        _ = try WireCodec.json.decodeClientFrame(bytes)
        #expect(WireCodec.json.unknownField(in: bytes)?.path == path)
    }

    @Test func `names no unknown field of a frame too large to search`() throws {
        let text = String(repeating: "x", count: 20_000)
        let bytes = Array(#"{"id":1,"createPromise":{"notes":"\#(text)"}}"#.utf8)
        #expect(WireCodec.json.unknownField(in: bytes)?.path == "")
    }

    /// A message with an unknown field.
    private func extended<M: WireMessage>(_ message: M, by field: [UInt8] = [0x78, 0x05]) throws -> M {
        try M(serializedBytes: try message.serializedBytes() + field)
    }

    private func path(of request: WireRequest) throws -> String? {
        let bytes = try WireClientFrame(id: 1, request: request).serializedBytes() as [UInt8]
        _ = try WireCodec.protobuf.decodeClientFrame(bytes)
        return WireCodec.protobuf.unknownField(in: bytes)?.path
    }

    @Test(.proves("10.2")) func `names an unknown field by the numbers of its path in Protocol Buffers`() throws {
        let subscribe = WireSubscribe.with { $0.lastSeq = 5 }
        #expect(try path(of: .subscribe(subscribe)) == nil)
        #expect(try path(of: .subscribe(try extended(subscribe))) == "subscribe.15")
        // A number of two bytes, and bytes as value.
        #expect(try path(of: .subscribe(try extended(subscribe, by: [0xA2, 0x06, 0x01, 0x07]))) == "subscribe.100")
        let fix = try extended(WireFix.with { $0.seq = 2 })
        #expect(try path(of: .report(.with { $0.fixes = [WireFix(), fix] })) == "report.2[1].15")
        let client = try extended(WireClientInfo())
        #expect(try path(of: .hello(.with { $0.client = client })) == "hello.2.15")
        let frame = try extended(WireClientFrame(id: 1, request: .getMe(WireGetMe())), by: [0x80, 0x7D, 0x01])
        #expect(WireCodec.protobuf.unknownField(in: try frame.serializedBytes())?.path == "2000")
    }
}
