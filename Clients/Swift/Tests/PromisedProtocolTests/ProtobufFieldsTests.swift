import Testing

@testable import PromisedProtocol

@Suite struct ProtobufFieldsTests {
    // proves: 10.4
    @Test(
        arguments: [
            ("", []),
            // One of each layout: numbers of one and two bytes, 8 bytes, text, a group with content, 4 bytes.
            ("0807", [1]), ("089601", [1]), ("110102030405060708", [2]), ("1a03616263", [3]), ("230807242007", [4]),
            ("3d01020304", [7]),
            // A number above 15 takes a longer tag.
            ("8201020807", [16]),
            // Several, in order; the content of a field is ignored.
            ("08071a0208070808", [1, 3, 1]),
            // Truncated: the complete fields before are still reported.
            ("080780", [1]), ("08071a05", [1]), ("080711010203", [1]), ("08073d0102", [1]),
            // A length beyond the input, an endless tag, unknown layouts, an end without a start.
            ("1affffffffffffffffff01", []), ("ffffffffffffffffffff01", []), ("0e", []), ("0f", []), ("24", []),
        ] as [(String, [UInt64])]
    )
    func `identifies fields by their numbers`(hex: String, numbers: [UInt64]) {
        var fields = ProtobufFields(Hex.bytes(hex))
        var found: [UInt64] = []
        while let field = fields.next() { found.append(field.number) }
        #expect(found == numbers)
    }

    @Test func `accepts only whole messages as requests`() {
        // Field 2 (report) as a number and twice as a message.
        #expect(!WireClientFrame.holdsSeveralRequests(Hex.bytes("10011001")))
        #expect(!WireClientFrame.holdsSeveralRequests(Hex.bytes("10011200")))
        #expect(WireClientFrame.holdsSeveralRequests(Hex.bytes("12001200")))
        // The first request beside the last number reserved for requests (199), the next one (200) and the id's.
        #expect(WireClientFrame.holdsSeveralRequests(Hex.bytes("1200ba0c00")))
        #expect(!WireClientFrame.holdsSeveralRequests(Hex.bytes("1200c20c00")))
        #expect(!WireClientFrame.holdsSeveralRequests(Hex.bytes("12000a00")))
    }
}

private enum Hex {
    /// Two hexadecimal digits for each byte.
    static func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.utf8.count, by: 2).compactMap { place in
            UInt8(text.dropFirst(place).prefix(2), radix: 16)
        }
    }
}
