import Benchmark
import PromisedDomain
import PromisedTestSupport

/// The session machine, the arrival rule and the question whom to deliver to.
func sessionBenchmarks() {
    Benchmark("session machine, one report", configuration: thousandfold) { benchmark in
        var machine = Samples.machine()
        var seq: UInt32 = 0
        benchmark.repeated {
            seq += 1
            let now = Samples.opening + .seconds(Double(seq) * 5)
            blackHole(machine.receive(.report(from: .user(1), Samples.report(seq)), at: now))
        }
    }
    Benchmark("session machine, take ten positions", configuration: thousandfold) { benchmark in
        var machine = Samples.machine()
        var seq: UInt32 = 0
        benchmark.repeated {
            seq += 1
            let now = Samples.opening + .seconds(Double(seq) * 5)
            for user in 1...10 { _ = machine.receive(.report(from: .user(UInt64(user)), Samples.report(seq)), at: now) }
            blackHole(machine.takePositions(at: now))
        }
    }
    Benchmark("delivery, ten recipients authorised", configuration: thousandfold) { benchmark in
        let machine = Samples.machine()
        benchmark.repeated {
            for user in 1...10 { blackHole(machine.isAccepted(.user(UInt64(user)))) }
        }
    }
    Benchmark(
        "arrival rule, a window of 2,520 fixes",
        configuration: .init(
            metrics: [.wallClock, .allocations],
            maxDuration: .seconds(3)
        )
    ) { benchmark in
        let fixes = (1...2_520).map { number in
            SettledFix.sample(
                seq: UInt32(number),
                at: Samples.opening + .seconds(Double(number) * 5),
                metres: max(3, 3_500 - 1.4 * 5 * Double(number)),
                accuracy: 8,
                speed: 1.4
            )
        }
        benchmark.startMeasurement()
        benchmark.repeated {
            var detector = ArrivalDetector(criteria: ArrivalCriteria(Samples.promise))
            for fix in fixes { blackHole(detector.accept(fix)) }
            blackHole(detector.arrival(at: Samples.promise.closesAt))
        }
        benchmark.stopMeasurement()
    }
}
