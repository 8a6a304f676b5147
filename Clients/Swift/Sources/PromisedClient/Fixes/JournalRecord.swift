internal import PromisedProtocol

/// A store's data besides fixes.
struct JournalHead: Hashable, Sendable {
    /// Names the device permanently.
    var deviceID: String
    /// Names this numbering of fixes and run of the monotonic clock.
    var bootID: String
    /// The system's own name of the run; empty if it has none.
    var boot: String
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

    /// Nil if the bytes are not of the form of ``bytes``.
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

/// One entry of the file that keeps fixes over a restart.
///
/// On disk: the payload's length and its ``Checksum`` (four bytes each, low byte first), then the payload: one byte for
/// the kind and the rest as below.
enum JournalRecord: Sendable {
    /// Kind 1, first in each file: the device, the run that numbered the fixes, and the last assigned number.
    case head(JournalHead)
    /// Kind 2: a fix was recorded, as a `report` frame of Protocol Buffers.
    case fix(WireFix)
    /// Kind 3: fixes left the queue; four bytes for each `seq`, at most ``settledLimit`` of them.
    case settled([UInt32])

    static let settledLimit = 200
    /// At least the size of any record. It is small, so that a broken length is easily distinguished from a torn
    /// record.
    static let payloadLimit = 1_024
    static let frameLength = 8

    /// The record's bytes in the file; nil for a fix that cannot be encoded.
    var bytes: [UInt8]? {
        guard let payload else { return nil }
        return UInt32(payload.count).littleEndianBytes + Checksum.of(payload).littleEndianBytes + payload
    }

    private var payload: [UInt8]? {
        switch self {
        case .head(let head): return [1] + head.bytes
        case .fix(let fix):
            var report = WireReport()
            report.fixes = [fix]
            do throws(WireError) {
                return [2] + (try WireCodec.protobuf.encode(WireClientFrame(id: 0, request: .report(report))))
            } catch {
                return nil
            }
        case .settled(let seqs): return [3] + seqs.flatMap(\.littleEndianBytes)
        }
    }

    /// The record of a payload with a valid checksum; nil if it is invalid.
    init?(payload: ArraySlice<UInt8>) {
        let body = payload.dropFirst()
        switch payload.first {
        case 1:
            guard let head = JournalHead(bytes: body) else { return nil }
            self = .head(head)
        case 2:
            guard case .report(let report)? = try? WireCodec.protobuf.decodeClientFrame(Array(body)).request,
                let fix = report.fixes.first
            else {
                // An unknown kind: not a record.
                return nil
            }
            self = .fix(fix)
        case 3:
            guard body.count.isMultiple(of: 4) else { return nil }
            self = .settled(
                stride(from: body.startIndex, to: body.endIndex, by: 4).map { UInt32(littleEndianBytes: body[$0...]) }
            )
        default: return nil
        }
    }
}

extension UInt32 {
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }

    /// The number in the first four bytes, low byte first.
    init(littleEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// The cyclic redundancy check of Ethernet and zip (CRC-32/ISO-HDLC): detects torn writes, not deliberate changes.
enum Checksum {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
    }
}
