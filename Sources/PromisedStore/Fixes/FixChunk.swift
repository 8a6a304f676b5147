package import PromisedDomain

/// Fixes of one promise packed into bytes: one row of `fix`.
///
/// ```
/// chunk  = version (1 byte: 1), number of groups, group…
/// group  = user (2 × 8 bytes), device, boot, block of fixes        one for each participant's device, as first seen
/// block  = fix…, as long as its length says                        so that a reader skips other groups
/// ```
/// Numbers are variable-length; ``FixCoding`` writes the fixes. Nothing is rounded: decoding returns exactly the
/// encoded values. A fix takes about 20 bytes if the phone sends seven decimals, 35 if it sends full doubles.
package struct FixChunk: Sendable {
    package let bytes: [UInt8]
    package let count: Int

    package init(bytes: [UInt8], count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Packs fixes of one promise into chunks of at most ``largestCount``, in the same order.
    static func chunks(encoding fixes: [ArchivedFix]) -> [FixChunk] {
        stride(from: 0, to: fixes.count, by: largestCount).map { start in
            FixChunk(encoding: fixes[start..<min(start + largestCount, fixes.count)])
        }
    }

    /// Packs fixes of one promise.
    package init(encoding fixes: some Sequence<ArchivedFix>) {
        var groups: [Group] = []
        var count = 0
        for fix in fixes {
            let known = FixChunk.index(of: fix, in: groups)
            if known == nil { groups.append(Group(Source(userID: fix.userID, device: fix.device))) }
            groups[known ?? groups.count - 1].encoder.append(fix.fix)
            count += 1
        }
        var writer = ByteWriter(expecting: groups.reduce(16) { $0 + $1.expectedBytes })
        writer.write(FixChunk.version)
        writer.write(UInt64(groups.count))
        for group in groups {
            group.source.write(to: &writer)
            writer.write(group.encoder.writer)
        }
        self.init(bytes: writer.bytes, count: count)
    }

    /// The fixes, each device's in packing order.
    ///
    /// - Parameter isWanted: `true` for the participants' devices to unpack.
    /// - Throws: ``StoreError/damaged(_:)`` for bytes that are not a chunk of a known version.
    package func fixes(
        where isWanted: (UserID, DeviceKey) -> Bool = { _, _ in true }
    ) throws(StoreError) -> [ArchivedFix] {
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
        guard reader.isAtEnd else { throw .damaged("A chunk with bytes after its end") }
        return fixes
    }

    /// Calls `body` for each fix of ``blocks(of:in:)``, in packing order. Throws ``StoreError/damaged(_:)``.
    static func forEachFix(inBlocks blocks: [UInt8], _ body: (SettledFix) -> Void) throws(StoreError) {
        var reader = ByteReader(blocks)
        while !reader.isAtEnd {
            var decoder = FixCoding.Decoder(reader: try reader.block())
            while let fix = try decoder.next() { body(fix) }
        }
    }

    /// The most fixes in a row. A flush can write 500,000 fixes, and a reader holds a whole row in memory, packed and
    /// unpacked: about 0.2 MB. Rows of version 0.1.0 may have more.
    static let largestCount = 1_000
    static let version: UInt8 = 1

    /// The group of a fix's device. Searches linearly, latest first: there are a few dozen groups, and one hash look-up
    /// costs as much as the whole search. A loop, because the closure of `lastIndex(where:)` would copy each group.
    private static func index(of fix: ArchivedFix, in groups: [Group]) -> Int? {
        var index = groups.count - 1
        while index >= 0, groups[index].source.userID != fix.userID || groups[index].source.device != fix.device {
            index -= 1
        }
        return index < 0 ? nil : index
    }

    /// One device's fixes packed so far.
    private struct Group {
        let source: Source
        var encoder = FixCoding.Encoder()

        init(_ source: Source) { self.source = source }

        /// The size in bytes, possibly slightly too low.
        var expectedBytes: Int {
            48 + source.device.deviceID.utf8.count + source.device.bootID.utf8.count + encoder.writer.bytes.count
        }
    }

    /// The user and device: the head of a group.
    private struct Source {
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
