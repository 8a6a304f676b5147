internal import PromisedProtocol

/// A store's data besides fixes.
struct JournalHead: Hashable, Sendable {
    /// Identifies the device permanently.
    var deviceID: String
    /// Identifies this numbering of fixes and run of the monotonic clock.
    var bootID: String
    /// The system's name of the run; empty without one.
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

    /// Decodes ``bytes``; nil if the bytes have another form.
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

/// One entry of the file that preserves fixes across restarts: one byte for the kind, then the content as below.
enum JournalRecord: JournalEntry {
    /// Kind 1, first in each file: the device, the run that numbered the fixes, and the last assigned number.
    case head(JournalHead)
    /// Kind 2: a fix was recorded, as a `report` frame of Protocol Buffers.
    case fix(WireFix)
    /// Kind 3: fixes were removed from the queue; four bytes for each `seq`, at most ``settledLimit`` of them.
    case settled([UInt32])

    static let settledLimit = 200
    static let payloadLimit = 1_024

    /// The entry's bytes; nil for a fix that cannot be encoded.
    var payload: [UInt8]? {
        switch self {
        case .head(let head): return [1] + head.bytes
        case .fix(let fix):
            var report = WireReport()
            report.fixes = [fix]
            return WireRequest.report(report).journalBytes.map { [2] + $0 }
        case .settled(let seqs): return [3] + seqs.journalBytes
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
            guard case .report(let report)? = WireRequest(journalBytes: body), let fix = report.fixes.first else {
                return nil
            }
            self = .fix(fix)
        case 3:
            guard let seqs = [UInt32](journalBytes: body) else { return nil }
            self = .settled(seqs)
        default: return nil
        }
    }
}
