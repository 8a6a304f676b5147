import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct JumpFilterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var sights: [Sight]
        /// The numbers of the accepted ones, in order of acceptance.
        var accepted: [UInt32]
        /// The fix held at the end.
        var held: UInt32?
        var testDescription: String { name }

        init(_ name: String, _ sights: [Sight], accepted: [UInt32], held: UInt32? = nil) {
            self.name = name
            self.sights = sights
            self.accepted = accepted
            self.held = held
        }
    }

    /// Both errors are 10 m, so over 10 s without speeds up to 1 020 m are plausible.
    static let limits: [Case] = [
        Case("the first fix", [Sight(0, 0)], accepted: [0]),
        // 100 m/s without reported speeds.
        Case("just below 100 m/s", [Sight(0, 0), Sight(10, 1_019.9)], accepted: [0, 1]),
        Case("100 m/s", [Sight(0, 0), Sight(10, 1_020)], accepted: [0, 1]),
        Case("just above 100 m/s", [Sight(0, 0), Sight(10, 1_020.1)], accepted: [0], held: 1),
        // 3 × 5 + 15 = 30 m/s with the larger of two reported speeds.
        Case("below 3 v + 15", [Sight(0, 0, speed: 5), Sight(10, 319.9, speed: 1)], accepted: [0, 1]),
        Case("at 3 v + 15", [Sight(0, 0, speed: 5), Sight(10, 320, speed: 1)], accepted: [0, 1]),
        Case("above 3 v + 15", [Sight(0, 0, speed: 5), Sight(10, 320.1, speed: 1)], accepted: [0], held: 1),
        Case("the new one's speed is larger", [Sight(0, 0, speed: 1), Sight(10, 320, speed: 5)], accepted: [0, 1]),
        Case("only the old one has a speed", [Sight(0, 0, speed: 5), Sight(10, 320.1)], accepted: [0], held: 1),
        Case("only the new one has a speed", [Sight(0, 0), Sight(10, 320.1, speed: 5)], accepted: [0], held: 1),
        // A reported speed of exactly 0 is unknown: 100 m/s. The minimum is 15 m/s.
        Case("0 and 0, at 100 m/s", [Sight(0, 0, speed: 0), Sight(10, 1_020, speed: 0)], accepted: [0, 1]),
        Case("0 and 0, above", [Sight(0, 0, speed: 0), Sight(10, 1_020.1, speed: 0)], accepted: [0], held: 1),
        Case("0 and none", [Sight(0, 0, speed: 0), Sight(10, 1_020)], accepted: [0, 1]),
        Case("0 and 5", [Sight(0, 0, speed: 0), Sight(10, 320.1, speed: 5)], accepted: [0], held: 1),
        Case("crawling, below", [Sight(0, 0, speed: 0.001), Sight(10, 170, speed: 0)], accepted: [0, 1]),
        Case("crawling, above", [Sight(0, 0, speed: 0.001), Sight(10, 170.1, speed: 0)], accepted: [0], held: 1),
        // The limit stays at 100 m/s for any reported speed.
        Case("boasting", [Sight(0, 0, speed: 80), Sight(10, 1_020.1, speed: 80)], accepted: [0], held: 1),
        // Large errors explain large distances, also within no time.
        Case("within both errors at once", [Sight(0, 0, error: 60), Sight(0, 100, error: 40)], accepted: [0, 1]),
        Case(
            "beyond both errors at once",
            [Sight(0, 0, error: 60), Sight(0, 100.1, error: 40)],
            accepted: [0],
            held: 1
        ),
    ]

    /// The held one is at 5 000 m with an error of 10 m; the next one has 10 m as well, so 40 m agree without speed.
    static let agreements: [Case] = [
        Case("just within", [Sight(0, 0), Sight(5, 5_000), Sight(10, 5_039.9)], accepted: [0, 1, 2]),
        Case("at it", [Sight(0, 0), Sight(5, 5_000), Sight(10, 5_040)], accepted: [0, 1, 2]),
        Case("just beyond", [Sight(0, 0), Sight(5, 5_000), Sight(10, 5_040.1)], accepted: [0], held: 2),
        // 10 m/s over 5 s add 50 m.
        Case("at it, moving", [Sight(0, 0), Sight(5, 5_000), Sight(10, 5_090, speed: 10)], accepted: [0, 1, 2]),
        Case("beyond, moving", [Sight(0, 0), Sight(5, 5_000), Sight(10, 5_090.1, speed: 10)], accepted: [0], held: 2),
        Case("the held one moved", [Sight(0, 0), Sight(5, 5_000, speed: 10), Sight(10, 5_090)], accepted: [0, 1, 2]),
        // Drops a single outlier.
        Case("outlier", [Sight(0, 0), Sight(5, 5_000), Sight(10, 10)], accepted: [0, 2]),
        Case(
            "outlier, then another elsewhere",
            [Sight(0, 0), Sight(5, 5_000), Sight(10, -5_000), Sight(15, 10)],
            accepted: [0, 3]
        ),
        // Two that agree pass at any distance, so no participant is locked out.
        Case(
            "a flight",
            [Sight(0, 0), Sight(5, 90_000), Sight(10, 90_010), Sight(15, 90_020)],
            accepted: [0, 1, 2, 3]
        ),
        Case(
            "the second of two jumps",
            [Sight(0, 0), Sight(5, 5_000), Sight(10, 9_000), Sight(15, 9_010)],
            accepted: [0, 2, 3]
        ),
    ]

    @Test(.proves("5.13", "5.32"), arguments: limits + agreements)
    func `holds an impossible jump until the next fix`(_ row: Case) {
        var filter = JumpFilter()
        var accepted: [UInt32] = []
        for (index, sight) in row.sights.enumerated() {
            let fix = sight.fix(seq: index)
            switch filter.receive(fix) {
            case .accepted: accepted.append(fix.seq)
            case .acceptedWithHeld(let held): accepted += [held.seq, fix.seq]
            case .held: break
            }
        }
        #expect(accepted == row.accepted)
        #expect(filter.held?.seq == row.held)
        #expect(filter.lastAccepted?.seq == row.accepted.last)
    }

    @Test(.proves("5.13")) func `the verdict reports a dropped held fix`() {
        var filter = JumpFilter()
        let sights = [Sight(0, 0), Sight(5, 5_000), Sight(10, 10), Sight(15, -5_000), Sight(20, 5_000)]
        let verdicts = sights.enumerated().map { filter.receive($1.fix(seq: $0)) }
        #expect(
            verdicts == [
                .accepted(droppedHeld: false), .held(droppedHeld: false), .accepted(droppedHeld: true),
                .held(droppedHeld: false), .held(droppedHeld: true),
            ]
        )
    }

    @Test(.proves("5.13"), arguments: 1...50)
    func `two consecutive fixes that agree always pass`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var filter = JumpFilter()
        for index in 0..<20 {
            let metres = Double.random(in: -90_000...90_000, using: &generator)
            _ = filter.receive(Sight(Double(index) * 5, metres).fix(seq: index))
        }
        let home = Double.random(in: -90_000...90_000, using: &generator)
        _ = filter.receive(Sight(100, home).fix(seq: 20))
        _ = filter.receive(Sight(105, home + 5).fix(seq: 21))
        #expect(filter.lastAccepted?.seq == 21, "seed \(seed)")
        #expect(filter.held == nil, "seed \(seed)")
    }
}
