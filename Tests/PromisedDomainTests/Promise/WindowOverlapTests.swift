import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// How many windows have an instant in common (domain §4).
@Suite struct WindowOverlapTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// Starts and ends in minutes.
        var windows: [(Int64, Int64)]
        var window: (Int64, Int64) = (0, 100)
        var peak: Int
        var testDescription: String { "\(windows) in \(window)" }
    }

    static let cases: [Case] = [
        Case(windows: [], peak: 0),
        Case(windows: [(0, 100)], peak: 1),
        // Windows exclude their end.
        Case(windows: [(-10, 0)], peak: 0),
        Case(windows: [(-10, 1)], peak: 1),
        Case(windows: [(100, 200)], peak: 0),
        Case(windows: [(99, 200)], peak: 1),
        Case(windows: [(0, 50), (50, 100)], peak: 1),
        Case(windows: [(0, 51), (50, 100)], peak: 2),
        // Ignores instants outside, however many windows share them.
        Case(windows: [(-50, 10), (-50, -20), (-50, -20), (90, 300), (150, 300)], peak: 1),
        // The peak is at one instant: six that overlap two at a time are two.
        Case(windows: [(0, 20), (10, 30), (20, 40), (30, 50), (40, 60), (50, 70)], peak: 2),
        Case(windows: [(0, 100), (10, 90), (20, 80), (30, 70)], peak: 4),
        Case(windows: [(30, 70), (30, 70), (30, 70)], peak: 3),
        // Windows of no length contain no instant.
        Case(windows: [(50, 50), (40, 60)], peak: 1),
        Case(windows: [(0, 100)], window: (50, 50), peak: 0),
    ]

    @Test(.proves("4.5"), arguments: cases)
    func `counts windows that share an instant`(_ row: Case) {
        let windows = row.windows.map(Self.window)
        #expect(WindowOverlap.peak(of: windows, in: Self.window(row.window)) == row.peak)
        #expect(WindowOverlap.peak(of: windows.reversed(), in: Self.window(row.window)) == row.peak)
    }

    @Test(.proves("4.5"), arguments: 0..<200 as Range<UInt64>)
    func `the peak equals the largest count of any minute`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let windows = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            let start = Int64.random(in: -60...160, using: &generator)
            return Self.window((start, start + .random(in: 0...60, using: &generator)))
        }
        let minutes = (0..<100).map { Instant.meeting + .minutes($0) }
        let best = minutes.map { minute in windows.count { $0.contains(minute) } }.max()
        #expect(WindowOverlap.peak(of: windows, in: Self.window((0, 100))) == best, "seed \(seed)")
    }

    @Test(.proves("4.5")) func `there is room beside eleven, and none beside twelve`() {
        let window = Promise.sample().window
        #expect(PromiseLimits.hasRoom(for: window, among: Array(repeating: window, count: 11)))
        #expect(!PromiseLimits.hasRoom(for: window, among: Array(repeating: window, count: 12)))
    }

    private static func window(_ minutes: (Int64, Int64)) -> Range<Instant> {
        Instant.meeting + .minutes(minutes.0)..<Instant.meeting + .minutes(minutes.1)
    }
}
