/// Reads an archive by its directory, checking every record byte by byte; for tests alone.
struct ZIPReader {
    struct Entry: Hashable {
        var name: String
        var bytes: [UInt8]
        var crc: UInt32
        var flags: UInt16
        /// Date, then time, of MS-DOS.
        var date: UInt32
        var mode: UInt16
    }

    struct Fault: Error {
        let reason: String
    }

    private let bytes: [UInt8]

    /// The entries of a complete archive, in the order of its directory.
    static func entries(of bytes: [UInt8]) throws -> [Entry] {
        let reader = ZIPReader(bytes: bytes)
        let end = bytes.count - 22
        guard end >= 0, reader.number(end, 4) == 0x0605_4B50 else { throw Fault(reason: "no end record") }
        var (offset, previousEnd) = (Int(reader.number(end + 16, 4)), 0)
        guard offset + Int(reader.number(end + 12, 4)) == end else { throw Fault(reason: "size of the directory") }
        var entries: [Entry] = []
        for _ in 0..<reader.number(end + 10, 2) {
            let start = Int(reader.number(offset + 42, 4))
            guard start == previousEnd else { throw Fault(reason: "a gap between entries") }
            let (entry, next) = try reader.entry(at: offset)
            previousEnd = next
            entries.append(entry)
            offset += 46 + entry.name.utf8.count
        }
        guard offset == end, previousEnd == Int(reader.number(end + 16, 4)) else { throw Fault(reason: "stray bytes") }
        return entries
    }

    /// The entry of a directory record, and where its bytes and descriptor end.
    private func entry(at offset: Int) throws -> (Entry, Int) {
        guard number(offset, 4) == 0x0201_4B50 else { throw Fault(reason: "no directory record") }
        let nameCount = Int(number(offset + 28, 2))
        let start = Int(number(offset + 42, 4))
        let size = Int(number(offset + 24, 4))
        let content = start + 30 + nameCount
        let entry = Entry(
            name: String(decoding: bytes[offset + 46..<offset + 46 + nameCount], as: UTF8.self),
            bytes: Array(bytes[content..<content + size]),
            crc: UInt32(number(offset + 16, 4)),
            flags: UInt16(number(offset + 8, 2)),
            date: UInt32(number(offset + 14, 2)) << 16 | UInt32(number(offset + 12, 2)),
            mode: UInt16(number(offset + 40, 2))
        )
        // Flag 3: checksum and sizes are 0 in the header and follow the bytes.
        let isStream = entry.flags & 8 == 8
        let header = bytes[start + 4..<start + 30]
        let record = bytes[offset + 6..<offset + 32]
        let zeros = [UInt8](repeating: 0, count: 12)
        let expected = record.prefix(10) + (isStream ? zeros[...] : record.dropFirst(10).prefix(12)) + record.suffix(4)
        guard number(start, 4) == 0x0403_4B50, Array(header) == Array(expected), number(offset + 20, 4) == size else {
            throw Fault(reason: "header and directory differ")
        }
        guard isStream else { return (entry, content + size) }
        let descriptor = [0x50, 0x4B, 0x07, 0x08] + bytes[offset + 16..<offset + 28]
        let written = bytes[content + size..<content + size + 16]
        guard Array(written) == descriptor else { throw Fault(reason: "descriptor") }
        return (entry, content + size + 16)
    }

    private func number(_ offset: Int, _ count: Int) -> UInt64 {
        bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
