internal import PromisedProtocol

/// One entry of the file that keeps fixes over a restart.
///
/// On disk: the payload's length and its ``Checksum`` (four bytes each, low byte first), then the payload: one byte for
/// the kind and the rest as below.
enum JournalRecord: Sendable {
    /// Kind 1, first in each file: who the device is, which run of it numbered the fixes, and the last number given.
    case head(JournalHead)
    /// Kind 2: a fix was recorded, as a `report` frame of Protocol Buffers.
    case fix(WireFix)
    /// Kind 3: fixes left the queue; four bytes for each `seq`, at most ``settledLimit`` of them.
    case settled([UInt32])

    static let settledLimit = 200
    /// At least as much as any record has. It is small, so that a broken length is soon told from a torn record.
    static let payloadLimit = 1_024
    static let frameLength = 8

    /// The record as it stands in the file; nil for a fix that cannot be written.
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

    /// The record of a payload whose checksum is right; nil when it is none.
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
                // Written by nobody we know: not a record.
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
