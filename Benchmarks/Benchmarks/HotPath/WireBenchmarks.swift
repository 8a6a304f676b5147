import Benchmark
import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import PromisedWire

/// A report as it comes and a collection of ten positions as it goes, in both codecs: by hand, as the server does it, and
/// by the library, as clients do.
func wireBenchmarks() {
    for codec in WireCodec.allCases {
        Benchmark("report, decode, \(codec)", configuration: thousandfold) { benchmark in
            let bytes = try codec.encode(Samples.reportFrame)
            benchmark.repeated {
                guard let frame = codec.decodeReport(bytes) else { return }
                blackHole(Report(device: Samples.device, fixes: frame.fixes, sent: frame.sent))
            }
        }
        Benchmark("report, decode by the library, \(codec)", configuration: thousandfold) { benchmark in
            let bytes = try codec.encode(Samples.reportFrame)
            try benchmark.repeated {
                guard case .report(let report) = try codec.decodeClientFrame(bytes).request else { return }
                blackHole(try Report(report, device: Samples.device))
            }
        }
        Benchmark("report, encode, \(codec)", configuration: thousandfold) { benchmark in
            try benchmark.repeated { blackHole(try codec.encode(Samples.reportFrame)) }
        }
        Benchmark("ten positions, encode, \(codec)", configuration: thousandfold) { benchmark in
            benchmark.repeated { blackHole(codec.encode(Samples.positionsFrame)) }
        }
        Benchmark("ten positions, encode by the library, \(codec)", configuration: thousandfold) { benchmark in
            try benchmark.repeated { blackHole(try codec.encode(event())) }
        }
        Benchmark("ten positions, decode, \(codec)", configuration: thousandfold) { benchmark in
            let bytes = try codec.encode(event())
            try benchmark.repeated { blackHole(try codec.decodeServerFrame(bytes)) }
        }
    }
}

/// The same positions as messages of the schema.
private func event() -> WireServerFrame {
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
