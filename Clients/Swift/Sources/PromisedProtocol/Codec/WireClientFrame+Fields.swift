extension WireClientFrame {
    /// Whether the bytes of a client frame in Protocol Buffers hold more than one request.
    ///
    /// By the rules of Protocol Buffers the last field of a `oneof` wins (or merges with the one before); by ours two
    /// requests are malformed, so the tags of the frame itself are counted: usually two, a few nanoseconds. Bytes that
    /// do not parse are left to the decoder, which refuses them.
    static func holdsSeveralRequests(_ bytes: [UInt8]) -> Bool {
        var fields = ProtobufFields(bytes)
        var count = 0
        while let field = fields.next() {
            guard field.wireType == .lengthDelimited, requestFieldNumbers.contains(field.number) else { continue }
            count += 1
            if count > 1 { return true }
        }
        return false
    }
}
