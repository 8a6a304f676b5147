import Benchmark
import PromisedDomain
import PromisedTestSupport
import PromisedWire

/// A report as it comes and a collection of ten positions as it goes, in both codecs.
func wireBenchmarks() {
    for codec in WireCodec.allCases {
        Benchmark("report, decode, \(codec)", configuration: thousandfold) { benchmark in
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
            try benchmark.repeated {
                let event = WireEvent(
                    positions: Samples.positions,
                    of: Samples.promise.id,
                    nextReport: .seconds(5),
                    at: .meeting
                )
                blackHole(try codec.encode(WireServerFrame(event: event)))
            }
        }
        Benchmark("ten positions, decode, \(codec)", configuration: thousandfold) { benchmark in
            let event = WireEvent(
                positions: Samples.positions,
                of: Samples.promise.id,
                nextReport: .seconds(5),
                at: .meeting
            )
            let bytes = try codec.encode(WireServerFrame(event: event))
            try benchmark.repeated { blackHole(try codec.decodeServerFrame(bytes)) }
        }
    }
}
