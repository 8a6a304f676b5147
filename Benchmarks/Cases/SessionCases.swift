internal import PromisedDomain
internal import PromisedTestSupport

extension HotPathCase {
    /// The session machine, the arrival rule, and the check of each recipient of a delivery.
    static let session = [
        HotPathCase("session machine, one report") {
            var machine = Samples.machine()
            var seq: UInt32 = 0
            return {
                seq += 1
                let now = Samples.opening + .seconds(Double(seq) * 5)
                consume(machine.receive(.report(from: .user(1), Samples.report(seq)), at: now))
            }
        },
        HotPathCase("session machine, take ten positions") {
            var machine = Samples.machine()
            var seq: UInt32 = 0
            return {
                seq += 1
                let now = Samples.opening + .seconds(Double(seq) * 5)
                for user in 1...10 {
                    _ = machine.receive(.report(from: .user(UInt64(user)), Samples.report(seq)), at: now)
                }
                consume(machine.takePositions(at: now))
            }
        },
        HotPathCase("delivery, ten recipients authorised") {
            let machine = Samples.machine()
            return { for user in 1...10 { consume(machine.isAccepted(.user(UInt64(user)))) } }
        },
        HotPathCase("arrival rule, a window of 2,520 fixes", isLong: true) {
            let fixes = (1...2_520).map { number in
                SettledFix.sample(
                    seq: UInt32(number),
                    at: Samples.opening + .seconds(Double(number) * 5),
                    metres: max(3, 3_500 - 1.4 * 5 * Double(number)),
                    accuracy: 8,
                    speed: 1.4
                )
            }
            return {
                var detector = ArrivalDetector(criteria: ArrivalCriteria(Samples.promise))
                for fix in fixes { consume(detector.accept(fix)) }
                consume(detector.arrival(at: Samples.promise.closesAt))
            }
        },
    ]
}
