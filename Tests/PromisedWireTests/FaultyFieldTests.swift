import PromisedProtocol
import PromisedSimulation
import PromisedWire
import Testing

/// The reason of the close after a frame of a wrong type.
@Suite struct FaultyFieldTests {
    @Test(arguments: [
        (#"{"id":7,"createPromise":{"title":7}}"#, "createPromise.title"),
        (#"{ "id" : 7 , "createPromise" : { "key":"k", "title" : 7, "place":{} } }"#, "createPromise.title"),
        (#"{"id":"seven","getMe":{}}"#, "id"), (#"{"id":-1,"getMe":{}}"#, "id"),
        (#"{"respond":{"promiseId":"}\"{","accept":1}}"#, "respond.accept"),
        (#"{"createPromise":{"place":{"name":"x","latitude":"north"}}}"#, "createPromise.place.latitude"),
        (#"{"report":{"fixes":[{"seq":1},{"seq":2},{"seq":-3}]}}"#, "report.fixes[2].seq"),
        (#"{"createPromise":{"inviteeIds":["a",{"b":1}]}}"#, "createPromise.inviteeIds[1]"),
        (#"{"createPromise":{"meetsAt":"tomorrow"}}"#, "createPromise.meetsAt"),
        (#"{"getMe":[]}"#, "getMe"), (#"{"getMe":{},"findUser":{"nickname":true}}"#, "findUser.nickname"),
        (#"{"admin":{"createUser":{"email":1}}}"#, "admin.createUser.email"),
    ])
    func `names a value of a wrong type by its path`(frame: String, path: String) {
        let bytes = Array(frame.utf8)
        #expect(throws: WireError.self) { try WireCodec.json.decodeClientFrame(bytes) }
        #expect(WireCodec.json.faultyField(of: bytes) == path)
    }

    @Test(arguments: [
        "", "{", "nonsense", "[]", "7", #"{"id":7,"createPromise":{"title":"x"}"#, #"{"id":7,"getMe":{},"signOut":{}}"#,
        #"{"id":7 "getMe":{}"#, #"{"title":"#, "\u{0}", "{{{{", "[[[[[[", #"{"a\u0000b":}"#,
    ])
    func `names no value if no single one is wrong`(frame: String) {
        #expect(WireCodec.json.faultyField(of: Array(frame.utf8)) == nil)
    }

    @Test func `does not repeat an invalid name of a field`() {
        let frame = #"{"createPromise":{"a b":{"c":tru}}}"#
        #expect(WireCodec.json.faultyField(of: Array(frame.utf8)) == "createPromise")
    }

    @Test func `searches neither binary frames nor long ones`() {
        #expect(WireCodec.protobuf.faultyField(of: [0xFF, 0xFF]) == nil)
        let text = #"{"findUser":{"nickname":7}}"#
        let frame = { (spaces: Int) in Array((text + String(repeating: " ", count: spaces)).utf8) }
        let length = frame(0).count
        #expect(WireCodec.json.faultyField(of: frame(16 * 1_024 - length)) == "findUser.nickname")
        #expect(WireCodec.json.faultyField(of: frame(16 * 1_024 - length + 1)) == nil)
    }

    @Test func `searches the first 64 entries of a long list`() {
        let frame = { (good: Int) in
            let ids = Array(repeating: #""a""#, count: good) + ["7"]
            return Array(#"{"createPromise":{"inviteeIds":[\#(ids.joined(separator: ","))]}}"#.utf8)
        }
        #expect(WireCodec.json.faultyField(of: frame(63)) == "createPromise.inviteeIds[63]")
        #expect(WireCodec.json.faultyField(of: frame(64)) == "createPromise.inviteeIds")
    }

    @Test func `random input does not crash`() {
        var dice = SeededGenerator(seed: 22)
        let marks = Array(#"{}[]",:\ 7ab"#.utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in marks.randomElement(using: &dice) ?? 0 }
            _ = WireCodec.json.faultyField(of: bytes)
        }
    }
}
