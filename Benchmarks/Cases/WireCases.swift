internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

extension HotPathCase {
    /// A report as it comes and a collection of ten positions as it goes, in both encodings: by hand, as the server does
    /// it, and by the library, as clients do.
    static let wire = WireCodec.allCases.flatMap { codec in reports(codec) + positions(codec) }

    private static func reports(_ codec: WireCodec) -> [HotPathCase] {
        [
            HotPathCase("report, decode, \(codec)") {
                let bytes = try codec.encode(Samples.reportFrame)
                return {
                    guard let frame = codec.decodeReport(bytes) else { return }
                    consume(Report(device: Samples.device, fixes: frame.fixes, sent: frame.sent))
                }
            },
            HotPathCase("report, decode by the library, \(codec)") {
                let bytes = try codec.encode(Samples.reportFrame)
                return {
                    guard case .report(let report) = try codec.decodeClientFrame(bytes).request else { return }
                    consume(try Report(report, device: Samples.device))
                }
            },
            HotPathCase("report, encode, \(codec)") { { consume(try codec.encode(Samples.reportFrame)) } },
        ]
    }

    private static func positions(_ codec: WireCodec) -> [HotPathCase] {
        [
            HotPathCase("ten positions, encode, \(codec)") { { consume(codec.encode(Samples.positionsFrame)) } },
            HotPathCase("ten positions, encode by the library, \(codec)") { { consume(try codec.encode(event())) } },
            HotPathCase("ten positions, decode, \(codec)") {
                let bytes = try codec.encode(event())
                return { consume(try codec.decodeServerFrame(bytes)) }
            },
        ]
    }

    /// The same positions as messages of the schema.
    private static func event() -> WireServerFrame {
        let frame = Samples.positionsFrame
        return WireServerFrame(
            event: WireEvent(
                positions: frame.positions,
                of: frame.promiseID,
                nextReport: frame.nextReport,
                at: frame.at
            )
        )
    }
}
