import PromisedDomain
import PromisedJournal

/// Derives values from an input's bytes in order; zeros after the last byte.
struct Draw {
    private let bytes: [UInt8]
    private var position = 0

    /// Draws from the first byte on.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `true` if all bytes are used up.
    var isAtEnd: Bool { position >= bytes.count }

    /// The bytes that are not used yet.
    var rest: [UInt8] { Array(bytes[min(position, bytes.count)...]) }

    mutating func byte() -> UInt8 {
        guard !isAtEnd else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// 0 up to, but not including, a bound of at most 256.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func isHeads() -> Bool { byte() & 1 == 1 }

    /// Four bytes, least significant first.
    mutating func word() -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(byte()) << UInt32(8 * $1) } }

    /// Eight bytes, least significant first.
    mutating func long() -> UInt64 { UInt64(word()) | UInt64(word()) << 32 }

    /// A number of any kind: with seven or two decimals, any bits, or a special one.
    mutating func number() -> Double {
        switch byte() % 4 {
        case 0: return Double(Int32(bitPattern: word())) / 1e7
        case 1: return Double(Int32(bitPattern: word())) / 100
        case 2: return Double(bitPattern: long())
        default:
            let special: [Double] = [0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e-300, 180]
            return special[below(special.count)]
        }
    }

    mutating func optional<Value>(_ value: (inout Draw) -> Value) -> Value? { isHeads() ? value(&self) : nil }

    mutating func coordinate() -> Coordinate { Coordinate(latitude: number(), longitude: number()) }

    /// An instant, mostly near the others.
    mutating func instant() -> Instant {
        switch byte() % 4 {
        case 0: Instant(milliseconds: Int64(bitPattern: long()))
        case 1: Instant(milliseconds: Int64(word()) * 1_000)
        default: Instant(milliseconds: 1_795_246_200_000 + Int64(Int32(bitPattern: word()) % 1_000_000))
        }
    }

    mutating func id<Subject>() -> ID<Subject> { ID(high: long(), low: long()) }

    /// One of few ids, so that values share ids.
    mutating func fewIDs<Subject>() -> ID<Subject> { ID(high: 0x7000, low: UInt64(below(3))) }

    /// A text of at most 15 bytes.
    mutating func text() -> String {
        let count = below(16)
        return String(decoding: (0..<count).map { _ in byte() }, as: UTF8.self)
    }

    mutating func fix() -> SettledFix {
        let time = instant()
        // A fix is received at a valid instant.
        let delay = Int64(Int16(truncatingIfNeeded: word()))
        let (received, isBeyond) = time.milliseconds.addingReportingOverflow(delay)
        return SettledFix(
            seq: word(),
            coordinate: coordinate(),
            accuracyMetres: optional { $0.number() },
            speedMps: optional { $0.number() },
            time: time,
            receivedAt: isBeyond ? time : Instant(milliseconds: received),
            isMock: isHeads(),
            isClockMoved: isHeads(),
            isOfOtherClock: isHeads()
        )
    }

    mutating func point() -> TrackPoint {
        TrackPoint(
            coordinate(),
            altitudeMetres: optional { $0.number() },
            time: optional { $0.instant() },
            accuracyMetres: optional { $0.number() },
            speedMps: optional { $0.number() }
        )
    }
}
