import PromisedDomain

/// An MS-DOS date, in UTC here, with a resolution of two seconds, 1980 to 2107.
struct ZIPDate {
    let time: UInt16
    let day: UInt16

    /// The date at or up to two seconds before an instant; for other years the nearest possible one.
    init(_ instant: Instant) {
        let first: Int64 = 315_532_800
        let last: Int64 = 4_354_819_199
        let seconds = min(max(instant.milliseconds.dividedFloor(by: 1_000), first), last)
        let date = CivilDate(daysSince1970: seconds / 86_400)
        let rest = seconds % 86_400
        time = UInt16((rest / 3_600) << 11 | (rest / 60 % 60) << 5 | rest % 60 / 2)
        day = UInt16((date.year - 1_980) << 9 | date.month << 5 | date.day)
    }
}

/// One stored entry and its records (APPNOTE section 4.3).
struct ZIPEntry: Sendable {
    let name: String
    let date: ZIPDate
    /// Where its header begins in the archive, in bytes.
    let offset: UInt64
    /// `true` if all bytes are added before the header is written.
    let isKnown: Bool
    private var crc = CRC32()
    private var size: UInt64 = 0

    /// An entry without bytes.
    init(name: String, date: ZIPDate, offset: UInt64, isKnown: Bool = false) {
        self.name = name
        self.date = date
        self.offset = offset
        self.isKnown = isKnown
    }

    /// Adds the next bytes to checksum and size.
    mutating func update(_ bytes: [UInt8]) {
        crc.update(bytes)
        size += UInt64(bytes.count)
    }

    /// The local file header (section 4.3.7).
    var header: [UInt8] {
        var fields = ZIPFields(signature: 0x0403_4B50)
        addDescription(to: &fields, crc: isKnown ? crc.value : 0, size: isKnown ? size : 0)
        fields.add(UInt16(0))
        return fields.bytes + Array(name.utf8)
    }

    /// The data descriptor after the bytes (section 4.3.9); empty if the header is complete.
    var descriptor: [UInt8] {
        guard !isKnown else { return [] }
        var fields = ZIPFields(signature: 0x0807_4B50)
        addChecksum(to: &fields, crc: crc.value, size: size)
        return fields.bytes
    }

    /// The number of bytes that follow those of the entry, in its descriptor and in the directory.
    var closingCount: Int { descriptor.count + directoryRecord.count }

    /// The file header of the central directory (section 4.3.12): made on Unix, mode 0600.
    var directoryRecord: [UInt8] {
        var fields = ZIPFields(signature: 0x0201_4B50)
        fields.add(UInt16(3 << 8 | 20))
        addDescription(to: &fields, crc: crc.value, size: size)
        for _ in 0..<4 { fields.add(UInt16(0)) }
        fields.add(UInt32(0o100600) << 16)
        fields.add(UInt32(truncatingIfNeeded: offset))
        return fields.bytes + Array(name.utf8)
    }

    /// The size in bytes of ``endRecord(entries:size:offset:)``.
    static let endRecordSize = 22

    /// The end of the central directory (section 4.3.16).
    static func endRecord(entries: Int, size: Int, offset: UInt64) -> [UInt8] {
        var fields = ZIPFields(signature: 0x0605_4B50)
        fields.add(UInt32(0))
        fields.add(UInt16(truncatingIfNeeded: entries))
        fields.add(UInt16(truncatingIfNeeded: entries))
        fields.add(UInt32(truncatingIfNeeded: size))
        fields.add(UInt32(truncatingIfNeeded: offset))
        fields.add(UInt16(0))
        return fields.bytes
    }

    /// `true` for a relative path of 1 to 255 bytes without empty parts, `.`, `..`, backslashes, colons and control
    /// characters.
    static func isAllowed(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return name.utf8.count <= 255 && !parts.contains { ["", ".", ".."].contains($0) }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0 == "\\" || $0 == ":" }
    }

    /// The fields that both headers share, from the version needed to the length of the name.
    private func addDescription(to fields: inout ZIPFields, crc: UInt32, size: UInt64) {
        fields.add(UInt16(20))
        // Flag 3: a descriptor follows the bytes; flag 11: the name is UTF-8.
        fields.add(UInt16(isKnown ? 0x0800 : 0x0808))
        fields.add(UInt16(0))
        fields.add(date.time)
        fields.add(date.day)
        addChecksum(to: &fields, crc: crc, size: size)
        fields.add(UInt16(name.utf8.count))
    }

    private func addChecksum(to fields: inout ZIPFields, crc: UInt32, size: UInt64) {
        fields.add(crc)
        fields.add(UInt32(truncatingIfNeeded: size))
        fields.add(UInt32(truncatingIfNeeded: size))
    }
}

/// Numbers of a record, the least significant byte first.
private struct ZIPFields {
    private(set) var bytes: [UInt8] = []

    init(signature: UInt32) { add(signature) }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
