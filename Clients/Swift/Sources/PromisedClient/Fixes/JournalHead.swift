/// What a store remembers besides fixes.
struct JournalHead: Hashable, Sendable {
    /// Names the device for good.
    var deviceID: String
    /// Names this numbering of fixes and run of the monotonic clock.
    var bootID: String
    /// The system's own name of the run; empty when it has none.
    var boot: String
    /// The last `seq` given.
    var lastSeq: UInt32

    init(deviceID: String, bootID: String, boot: String, lastSeq: UInt32) {
        self.deviceID = deviceID
        self.bootID = bootID
        self.boot = boot
        self.lastSeq = lastSeq
    }

    /// The number, then each text with its length in one byte before it.
    var bytes: [UInt8] {
        lastSeq.littleEndianBytes
            + [deviceID, bootID, boot].flatMap { text in
                let utf8 = Array(text.utf8.prefix(255))
                return [UInt8(utf8.count)] + utf8
            }
    }

    /// Nil when the bytes are not what ``bytes`` gives.
    init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        lastSeq = UInt32(littleEndianBytes: bytes)
        var rest = bytes.dropFirst(4)
        guard let device = Self.text(&rest), let bootID = Self.text(&rest), let boot = Self.text(&rest) else {
            return nil
        }
        guard !device.isEmpty, !bootID.isEmpty, rest.isEmpty else { return nil }
        (deviceID, self.bootID, self.boot) = (device, bootID, boot)
    }

    private static func text(_ bytes: inout ArraySlice<UInt8>) -> String? {
        guard let length = bytes.popFirst(), bytes.count >= length else { return nil }
        defer { bytes = bytes.dropFirst(Int(length)) }
        return String(validating: bytes.prefix(Int(length)), as: UTF8.self)
    }
}
