internal import Foundation
internal import PromisedDomain
internal import PromisedPlaces

/// The stored fixes of one device, read in time order although they are stored in order of receipt. Reads in parts, so
/// memory is bounded whatever the number and order of the fixes.
///
/// ```
/// scan   all chunks of the promise once; of other devices only the heads. Records stretches of a few hundred fixes:
/// their
///        rows, the earliest and the latest fix, and their bytes while there is room for them
/// parts  the earliest fixes after the previous part, from the stretches that overlap it
/// ```
/// If the phone reports continuously, the stretches follow one another, so each is unpacked only once. If every stretch
/// spans the whole time, each part unpacks all of them.
struct OrderedFixes {
    /// Limits on memory.
    struct Room: Sendable {
        /// The bytes of packed fixes to cache; further ones are read again.
        var bytes = 224 * 1_024
        /// The number of fixes in a part; up to twice as many are unpacked.
        var part = 1_536
        /// The number of fixes in a stretch; may be slightly exceeded.
        var stretch = 256
    }

    private let source: FixSource
    private let room: Room
    private let pending: [SettledFix]
    /// Sorted by the earliest fix.
    private let stretches: [Stretch]
    /// The fix numbers that occur more than once.
    private let repeated: Set<UInt32>

    /// Scans the fixes of a device. Index `fix_by_promise`.
    ///
    /// - Parameter pending: further fixes of the device, whether or not they are also stored; sorted.
    init(of source: FixSource, with pending: [SettledFix], room: Room = Room(), from db: SQLConnection) throws {
        self.source = source
        self.room = room
        // Filtered before numbers are compared: the number of an excluded fix may occur again in an included one.
        self.pending = pending.filter(source.has)
        var scan = Scan(source: source, room: room, numbers: self.pending.map(\.seq))
        try OrderedFixes.forEachRow(of: source, from: db) { row, blocks throws(StoreError) in
            try scan.take(blocks, in: row)
        }
        (stretches, repeated) = scan.end()
    }

    /// Passes on all fixes in order, each number once: if several stored fixes have the same number, the earliest.
    func forEachPart(from db: SQLConnection, _ body: ([SettledFix]) -> Void) throws {
        var known: Set<UInt32> = []
        var last: SettledFix?
        while let part = try part(after: last, from: db) {
            last = part.last
            body(repeated.isEmpty ? part : part.filter { !repeated.contains($0.seq) || known.insert($0.seq).inserted })
        }
    }

    /// The earliest fixes after `last`, sorted; nil at the end.
    private func part(after last: SettledFix?, from db: SQLConnection) throws -> [SettledFix]? {
        var part: [SettledFix] = []
        part.reserveCapacity(2 * (room.part + room.stretch))
        part += pending.lazy.filter { fix in last.map { $0 < fix } ?? true }
        var latest = part.last
        for stretch in stretches where last.map({ $0 < stretch.last }) ?? true {
            // A full part can only include fixes before the latest in it.
            let end = part.count < room.part ? nil : latest
            if let end, end < stretch.first { break }
            try forEachFix(of: stretch, from: db) { fix in
                if let last, fix <= last { return }
                if let end, fix >= end { return }
                guard source.has(fix) else { return }
                part.append(fix)
                latest = latest.map { max($0, fix) } ?? fix
            }
            guard part.count >= 2 * room.part else { continue }
            part.sort()
            part.removeLast(part.count - room.part)
            latest = part.last
        }
        part.sort()
        return part.isEmpty ? nil : part
    }

    private func forEachFix(of stretch: Stretch, from db: SQLConnection, _ body: (SettledFix) -> Void) throws {
        if let blocks = stretch.blocks { return try FixChunk.forEachFix(inBlocks: blocks, body) }
        try OrderedFixes.forEachRow(stretch.rows, of: source, from: db) { _, blocks throws(StoreError) in
            try FixChunk.forEachFix(inBlocks: blocks, body)
        }
    }

    /// The device's blocks of packed fixes, by row.
    private static func forEachRow(
        _ range: ClosedRange<Int64> = 0...Int64.max,
        of source: FixSource,
        from db: SQLConnection,
        _ body: (_ row: Int64, _ blocks: [UInt8]) throws(StoreError) -> Void
    ) throws {
        let wanted = FixChunk.Wanted(source.userID, source.device)
        let rows = try db.cursor(
            """
            SELECT id, chunk FROM fix INDEXED BY fix_by_promise
            WHERE promise_id = ? AND id BETWEEN ? AND ? ORDER BY id
            """,
            [source.promiseID, Int(range.lowerBound), Int(range.upperBound)]
        )
        while let row = try rows.next() {
            let blocks = try row.withBytes(1) { try FixChunk.blocks(of: wanted, in: $0) }
            if !blocks.isEmpty { try body(row.value(0), blocks) }
        }
    }
}

/// One device's fixes from consecutive rows.
private struct Stretch {
    var rows: ClosedRange<Int64>
    /// The earliest fix.
    var first: SettledFix
    var last: SettledFix
    var count = 0
    /// The packed fixes; nil if they must be read again.
    var blocks: [UInt8]? = []
}

/// Records which rows of a promise have fixes of a device.
private struct Scan {
    private let source: FixSource
    private let room: OrderedFixes.Room
    private var numbers: [UInt32]
    private var stretches: [Stretch] = []
    private var open: Stretch?
    private var keptBytes = 0

    init(source: FixSource, room: OrderedFixes.Room, numbers: [UInt32]) {
        self.source = source
        self.room = room
        self.numbers = numbers
    }

    mutating func take(_ blocks: [UInt8], in row: Int64) throws(StoreError) {
        var fixes: [SettledFix] = []
        try FixChunk.forEachFix(inBlocks: blocks) { fix in if source.has(fix) { fixes.append(fix) } }
        guard let first = fixes.min(), let last = fixes.max() else { return }
        numbers.append(contentsOf: fixes.lazy.map(\.seq))
        var stretch = open ?? Stretch(rows: row...row, first: first, last: last)
        // Otherwise the append would copy the stretch.
        open = nil
        stretch.rows = stretch.rows.lowerBound...row
        stretch.first = min(stretch.first, first)
        stretch.last = max(stretch.last, last)
        stretch.count += fixes.count
        stretch.blocks?.append(contentsOf: blocks)
        if stretch.count < room.stretch { open = stretch } else { close(stretch) }
    }

    /// The stretches sorted by their earliest fix, and the numbers that occur more than once.
    mutating func end() -> ([Stretch], Set<UInt32>) {
        if let open { close(open) }
        numbers.sort()
        let repeated = zip(numbers, numbers.dropFirst()).filter { $0 == $1 }.map(\.0)
        return (stretches.sorted { $0.first < $1.first }, Set(repeated))
    }

    private mutating func close(_ stretch: Stretch) {
        var closed = stretch
        if let blocks = stretch.blocks {
            // A copy has no spare capacity.
            closed.blocks = keptBytes + blocks.count <= room.bytes ? Array(blocks[...]) : nil
        }
        keptBytes += closed.blocks?.count ?? 0
        stretches.append(closed)
    }
}
