import PromisedDomain
import PromisedProtocol
import PromisedWire

extension FuzzTarget {
    static let reportJSON = FuzzTarget(
        "report-json",
        "The reader of reports in JSON gives the library's report, or leaves the frame to it."
    ) { bytes throws(Violation) in
        guard let read = WireCodec.json.decodeReport(bytes) else { return }
        try compare(read, libraryReport(bytes, .json), "the bytes")
    }

    static let reportProtobuf = FuzzTarget(
        "report-protobuf",
        "The reader of reports in Protocol Buffers gives the library's report, and reads all that the library writes."
    ) { bytes throws(Violation) in
        if let read = WireCodec.protobuf.decodeReport(bytes) {
            try compare(read, libraryReport(bytes, .protobuf), "the bytes")
        }
        // Only frames that both can encode.
        guard let frame = try? WireCodec.protobuf.decodeClientFrame(bytes), let report = ReportFrame(frame),
            let written = try? WireCodec.protobuf.encode(frame)
        else { return }
        try compare(WireCodec.protobuf.decodeReport(written), report, "the library's own bytes")
    }

    /// The library's report of a frame; nil if it refuses the frame.
    private static func libraryReport(_ bytes: [UInt8], _ codec: WireCodec) -> ReportFrame? {
        (try? codec.decodeClientFrame(bytes)).flatMap(ReportFrame.init)
    }

    private static func compare(
        _ read: ReportFrame?,
        _ library: ReportFrame?,
        _ place: String
    ) throws(Violation) {
        guard read?.bits != library?.bits else { return }
        throw Violation("of \(place): \(String(describing: read)), but \(String(describing: library))")
    }
}

extension ReportFrame {
    /// All its values.
    fileprivate var bits: [UInt64?] {
        [UInt64(id), promiseID.high, promiseID.low, sent.uptimeMs?.bitPattern, sent.wallMs?.bitPattern]
            + fixes.flatMap(\.bits)
    }
}
