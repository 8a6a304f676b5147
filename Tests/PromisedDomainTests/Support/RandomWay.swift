import PromisedDomain
import PromisedSimulation
import PromisedTestSupport

/// A way towards the place and around it, with everything that starts and ends arrivals, by seed.
///
/// One fix each 5 s or so; some received late, some inexact, some far off, some missing.
struct RandomWay {
    /// In order of time, numbered from 1.
    let fixes: [SettledFix]

    init(seed: Int, count: Int = 80) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var made: [SettledFix] = []
        var metres = Double.random(in: 0...300, using: &generator)
        var at = -Double.random(in: 0...600, using: &generator)
        var tunnelUntil: Double?
        for seq in 1...count {
            at +=
                Double.random(in: 0...5, using: &generator) + (Int.random(in: 0..<20, using: &generator) == 0 ? 40 : 2)
            metres = abs(metres + Double.random(in: -40...25, using: &generator))
            if Int.random(in: 0..<25, using: &generator) == 0 { metres += 250 }
            if Int.random(in: 0..<15, using: &generator) == 0 {
                tunnelUntil = at + .random(in: 5...300, using: &generator)
            }
            if let end = tunnelUntil, end < at { tunnelUntil = nil }
            let isOutlier = Int.random(in: 0..<40, using: &generator) == 0
            let late = tunnelUntil.map { $0 - at } ?? .random(in: -4...20, using: &generator)
            let sight = Sight(
                at,
                isOutlier ? 4_000 : metres,
                error: [nil, 5, 10, 20, 45, 70, 300].randomElement(using: &generator) ?? 10,
                speed: Bool.random(using: &generator) ? .random(in: 0...10, using: &generator) : nil,
                delay: late
            )
            made.append(sight.fix(seq: seq))
        }
        fixes = made
    }

    /// The fixes in the order in which the server received them.
    var received: [SettledFix] { fixes.sorted { ($0.receivedAt, $0.seq) < ($1.receivedAt, $1.seq) } }
}
