internal import PromisedDomain
internal import PromisedProtocol

/// Writes JSON members one by one into a buffer whose size the caller guarantees.
struct JSONWriter {
    private let memory: UnsafeMutableRawBufferPointer
    /// How many bytes have been written.
    private(set) var count = 0
    /// `true` if the object or array already has a member.
    private var needsComma = false

    /// The bytes that `body` writes.
    ///
    /// - Precondition: they number at most `limit`.
    static func bytes(atMost limit: Int, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var writer = JSONWriter(memory: UnsafeMutableRawBufferPointer(buffer))
            body(&writer)
            count = writer.count
        }
    }

    private init(memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    /// An object whose members `body` writes.
    mutating func object(_ body: (inout JSONWriter) -> Void) { list(from: "{", to: "}", body) }

    /// An array whose elements `body` writes, each after ``element()``.
    mutating func array(_ body: (inout JSONWriter) -> Void) { list(from: "[", to: "]", body) }

    /// Begins an element of an array.
    mutating func element() {
        if needsComma { raw(",") }
        needsComma = true
    }

    /// The name of a member, with quotation marks and colon; write the value next.
    mutating func name(_ text: StaticString) {
        element()
        raw(text)
    }

    mutating func raw(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func number(_ value: UInt32) {
        var width = 1
        var rest = value / 10
        while rest > 0 {
            width += 1
            rest /= 10
        }
        digits(Int64(value), width)
    }

    /// A number with the fewest digits that distinguish it from all others; NaN and infinity as text.
    mutating func number(_ value: Double) {
        if value.isFinite {
            append(value.debugDescription)
        } else if value.isNaN {
            raw("\"NaN\"")
        } else {
            raw(value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
        }
    }

    /// An id in quotation marks.
    mutating func id<Subject>(_ id: ID<Subject>) {
        raw("\"")
        id.write(to: UnsafeMutableRawBufferPointer(rebasing: memory[reserved(36)]))
        raw("\"")
    }

    /// A quoted instant of RFC 3339 in UTC, with milliseconds only if they are not zero.
    mutating func instant(_ instant: Instant) {
        let (seconds, nanos) = WireTimestamp.secondsAndNanos(of: instant)
        let date = CivilDate(daysSince1970: seconds.dividedFloor(by: 86_400))
        let time = seconds.modulo(86_400)
        raw("\"")
        digits(date.year, 4)
        raw("-")
        digits(date.month, 2)
        raw("-")
        digits(date.day, 2)
        raw("T")
        digits(time / 3_600, 2)
        raw(":")
        digits(time / 60 % 60, 2)
        raw(":")
        digits(time % 60, 2)
        if nanos != 0 {
            raw(".")
            digits(Int64(nanos) / 1_000_000, 3)
        }
        raw("Z\"")
    }

    private mutating func list(from: StaticString, to: StaticString, _ body: (inout JSONWriter) -> Void) {
        raw(from)
        needsComma = false
        body(&self)
        needsComma = true
        raw(to)
    }

    private mutating func digits(_ number: Int64, _ width: Int) {
        let place = reserved(width)
        var rest = number
        for index in place.reversed() {
            memory[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: memory[reserved(bytes.count)]).copyMemory(from: bytes)
    }

    private mutating func reserved(_ length: Int) -> Range<Int> {
        precondition(memory.count - count >= length, "The text is longer than was foreseen")
        defer { count += length }
        return count..<count + length
    }
}
