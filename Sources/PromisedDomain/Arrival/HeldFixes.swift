/// Fixes of one device in order, packed: each participant on the way has two dozen.
///
/// ```
/// first, last = as they are
/// bytes       = each from the second on, relative to the one before it:
///               seq, time, delay and marks, latitude, longitude, accuracy, speed
/// ```
/// Numbers take seven bits a byte and few bytes when they are small. Nothing is rounded: degrees are stored as the
/// difference of their bits, which is small between neighbours; measures as the bits that differ, highest first,
/// because they are mostly equal or have few digits.
package struct HeldFixes: Hashable, Sendable {
    /// Room for the bytes of two minutes of reports, one every 5 s, by most phones.
    private static let expectedBytes = 448

    /// The oldest fix; nil if empty.
    package private(set) var first: SettledFix?
    /// The newest fix; nil if empty.
    package private(set) var last: SettledFix?
    package private(set) var count = 0
    private var bytes: [UInt8] = []

    package init(_ fixes: some Sequence<SettledFix> = EmptyCollection()) { for fix in fixes { append(fix) } }

    /// All fixes, in order.
    package var all: [SettledFix] {
        guard let first else { return [] }
        var fixes = [first]
        fixes.reserveCapacity(count)
        var reader = Reader(bytes: bytes)
        for _ in 1..<count { fixes.append(reader.next(after: fixes[fixes.count - 1])) }
        return fixes
    }

    /// Appends a fix that is newer than all others.
    package mutating func append(_ fix: SettledFix) {
        if let last { pack(fix, after: last) } else { first = fix }
        last = fix
        count += 1
    }

    /// Removes the fixes from before an instant, and the oldest beyond the limit. Returns the removed fixes, in order.
    package mutating func removeAll(before horizon: Instant, leaving limit: Int = .max) -> [SettledFix] {
        var removed: [SettledFix] = []
        var length = 0
        do {
            var reader = Reader(bytes: bytes)
            while let oldest = first, oldest.time < horizon || count > limit {
                removed.append(oldest)
                count -= 1
                first = count == 0 ? nil : reader.next(after: oldest)
            }
            length = reader.position
        }
        if count == 0 { last = nil }
        if length > 0 { bytes.removeFirst(length) }
        return removed
    }

    private mutating func pack(_ fix: SettledFix, after before: SettledFix) {
        let numbers: InlineArray<7, UInt64> = [
            HeldFixes.unsigned(Int64(fix.seq) - Int64(before.seq)),
            HeldFixes.unsigned(fix.time.milliseconds &- before.time.milliseconds),
            HeldFixes.unsigned(Int64(fix.delayAndFlags)),
            HeldFixes.step(from: before.coordinate.latitude, to: fix.coordinate.latitude),
            HeldFixes.step(from: before.coordinate.longitude, to: fix.coordinate.longitude),
            (fix.accuracy.bitPattern ^ before.accuracy.bitPattern).byteSwapped,
            (fix.speed.bitPattern ^ before.speed.bitPattern).byteSwapped,
        ]
        var length = 0
        for index in numbers.indices { length += HeldFixes.length(of: numbers[index]) }
        makeRoom(for: length)
        for index in numbers.indices { write(numbers[index]) }
    }

    // Allocates the expected size at once and then grows by steps instead of doubling: freed smaller blocks fragment
    // the heap.
    private mutating func makeRoom(for length: Int) {
        guard bytes.count + length > bytes.capacity else { return }
        bytes.reserveCapacity(max(HeldFixes.expectedBytes, bytes.count + bytes.count / 4 + length))
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func length(of number: UInt64) -> Int { max(1, (70 - number.leadingZeroBitCount) / 7) }

    private static func step(from before: Double, to value: Double) -> UInt64 {
        unsigned(Int64(bitPattern: value.bitPattern &- before.bitPattern))
    }

    /// 0, −1, 1, −2, … as 0, 1, 2, 3, ….
    private static func unsigned(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

    private struct Reader {
        let bytes: [UInt8]
        private(set) var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func next(after before: SettledFix) -> SettledFix {
            let seq = UInt32(truncatingIfNeeded: Int64(before.seq) + signed())
            let time = Instant(milliseconds: before.time.milliseconds &+ signed())
            let delayAndFlags = Int32(truncatingIfNeeded: signed())
            let latitude = step(from: before.coordinate.latitude)
            let longitude = step(from: before.coordinate.longitude)
            return SettledFix(
                seq: seq,
                coordinate: Coordinate(latitude: latitude, longitude: longitude),
                accuracy: change(of: before.accuracy),
                speed: change(of: before.speed),
                time: time,
                delayAndFlags: delayAndFlags
            )
        }

        private mutating func step(from before: Double) -> Double {
            Double(bitPattern: before.bitPattern &+ UInt64(bitPattern: signed()))
        }

        private mutating func change(of before: Double) -> Double {
            Double(bitPattern: before.bitPattern ^ number().byteSwapped)
        }

        private mutating func signed() -> Int64 {
            let number = number()
            return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        }

        private mutating func number() -> UInt64 {
            var number: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                let byte = bytes[position]
                position += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte & 0x80 == 0 { return number }
                shift += 7
            }
        }
    }
}
