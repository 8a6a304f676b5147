internal import PromisedDomain

extension FixChunk {
    /// The head of a device's groups.
    struct Wanted {
        fileprivate let user: [UInt8]
        fileprivate let device: DeviceKey
        fileprivate let deviceID: [UInt8]
        fileprivate let bootID: [UInt8]

        init(_ userID: UserID, _ device: DeviceKey) {
            var writer = ByteWriter(expecting: 16)
            writer.write(fixed: userID.high)
            writer.write(fixed: userID.low)
            user = writer.bytes
            self.device = device
            deviceID = Array(device.deviceID.utf8)
            bootID = Array(device.bootID.utf8)
        }
    }

    /// The blocks of a device in a chunk, still packed, each preceded by its length; empty if it has none. Skips groups
    /// of other devices by their lengths, so a chunk of fifty people costs less than a microsecond.
    ///
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not a chunk of a known version.
    static func blocks(of wanted: Wanted, in chunk: Span<UInt8>) throws(StoreError) -> [UInt8] {
        var position = 0
        guard try chunk.readByte(at: &position) == FixChunk.version else {
            throw .damaged("A chunk of an unknown version")
        }
        var blocks: [UInt8] = []
        for _ in 0..<(try chunk.readNumber(at: &position)) {
            let user = position
            for _ in 0..<2 { _ = try chunk.readFixed(at: &position) }
            let deviceID = try chunk.readRange(at: &position)
            let bootID = try chunk.readRange(at: &position)
            let block = position
            _ = try chunk.readRange(at: &position)
            guard chunk.holds(wanted.user, in: user..<user + 16), wanted.isNamed(deviceID, bootID, in: chunk) else {
                continue
            }
            chunk.append(block..<position, to: &blocks)
        }
        guard position == chunk.count else { throw .damaged("A chunk with bytes after its end") }
        return blocks
    }
}

extension FixChunk.Wanted {
    /// `true` if these texts name the device: texts with different bytes can have equal characters.
    fileprivate func isNamed(_ device: Range<Int>, _ boot: Range<Int>, in chunk: Span<UInt8>) -> Bool {
        if chunk.holds(deviceID, in: device), chunk.holds(bootID, in: boot) { return true }
        return DeviceKey(deviceID: chunk.string(in: device), bootID: chunk.string(in: boot)) == self.device
    }
}

extension Span<UInt8> {
    fileprivate func holds(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard bytes.count == range.count else { return false }
        for index in bytes.indices where self[range.lowerBound + index] != bytes[index] { return false }
        return true
    }

    fileprivate func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + range.count)
        for index in range { bytes.append(self[index]) }
    }

    fileprivate func string(in range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        append(range, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
