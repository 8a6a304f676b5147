internal import PromisedDomain

/// Fixes of one promise packed into bytes: one row of `fix`.
///
/// ```
/// chunk  = version (1 byte: 1), number of groups, group…
/// group  = user (2 × 8 bytes), device, boot, block of fixes        one for each participant's device, as first seen
/// block  = fix…, as long as its length says                        so that other people's groups are skipped unread
/// ```
/// Numbers are variable-length; ``FixCoding`` writes the fixes. Nothing is rounded: what comes out equals what went in.
/// A fix costs about 20 bytes where phones give seven decimals, 35 where they give full doubles.
struct FixChunk: Sendable {
    /// The packed form.
    let bytes: [UInt8]
    /// How many fixes are in it.
    let count: Int

    /// A chunk from its row.
    init(bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Packs fixes of one promise.
    init(encoding fixes: some Sequence<ArchivedFix>) {
        var order: [Source] = []
        var groups: [Source: FixCoding.Encoder] = [:]
        var count = 0
        for fix in fixes {
            let source = Source(userID: fix.userID, device: fix.device)
            if groups[source] == nil { order.append(source) }
            groups[source, default: FixCoding.Encoder()].append(fix.fix)
            count += 1
        }
        var writer = ByteWriter()
        writer.write(FixChunk.version)
        writer.write(UInt64(order.count))
        for source in order {
            source.write(to: &writer)
            writer.write(groups[source, default: FixCoding.Encoder()].writer)
        }
        self.init(bytes: writer.bytes, count: count)
    }

    /// The fixes, each device's in the order in which they were packed.
    ///
    /// - Parameter isWanted: which participants' devices to unpack.
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are no chunk of a known version.
    func fixes(where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true }) throws(StoreError) -> [ArchivedFix] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == FixChunk.version else { throw .damaged("A chunk of an unknown version") }
        var fixes: [ArchivedFix] = []
        for _ in 0..<(try reader.number()) {
            let source = try Source(from: &reader)
            var decoder = FixCoding.Decoder(reader: try reader.block())
            guard isWanted(source.userID, source.device) else { continue }
            while let fix = try decoder.next() {
                fixes.append(ArchivedFix(userID: source.userID, device: source.device, fix: fix))
            }
        }
        guard reader.isAtEnd else { throw .damaged("A chunk with more behind its end") }
        return fixes
    }

    private static let version: UInt8 = 1

    /// Whose and from what: the head of a group.
    private struct Source: Hashable {
        var userID: UserID
        var device: DeviceKey

        init(userID: UserID, device: DeviceKey) {
            self.userID = userID
            self.device = device
        }

        init(from reader: inout ByteReader) throws(StoreError) {
            userID = UserID(high: try reader.fixed(), low: try reader.fixed())
            device = DeviceKey(deviceID: try reader.text(), bootID: try reader.text())
        }

        func write(to writer: inout ByteWriter) {
            writer.write(fixed: userID.high)
            writer.write(fixed: userID.low)
            writer.write(device.deviceID)
            writer.write(device.bootID)
        }
    }
}
