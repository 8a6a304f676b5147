import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The limits on accepted and stored fixes of a session, each at one below, at, and one above (domain §5).
@Suite struct FixLimitTests {
    private static let device = SessionWorld.phone

    /// Fixes half a second apart, the last at a second, numbered from `first`.
    private static func fixes(_ count: Int, first: UInt32 = 1, until second: Double = 0) -> [Fix] {
        (0..<count).map { index in
            let at = Instant.meeting + .seconds(second - 0.5 * Double(count - 1 - index))
            return PhoneClock().wallFix(seq: first + UInt32(index), at: at, metres: 300)
        }
    }

    /// A promise of two with its own limits.
    private static func world(_ change: (inout FixLimits) -> Void = { _ in }) -> SessionWorld {
        var limits = FixLimits()
        change(&limits)
        return SessionWorld(accepted: 2, fixLimits: limits)
    }

    // MARK: - The rate

    @Test(.proves("5.22"), arguments: [(199, nil), (200, nil), (201, TimeSpan.milliseconds(50))] as [(Int, TimeSpan?)])
    func `accepts at most four hundred fixes at once`(more: Int, wait: TimeSpan?) {
        var world = Self.world { $0.spacing = .zero }
        world.report(2, Self.fixes(200), at: 0)
        let reply = world.report(2, Self.fixes(more, first: 201), at: 0)
        #expect(reply?.refusal == wait.map(Refusal.tooManyFixes))
        #expect(world.archive.fixes.count == (wait == nil ? 200 + more : 200), "refused whole")
    }

    @Test(.proves("5.22"), arguments: [(999, false), (1_000, true)] as [(Int, Bool)])
    func `accepts twenty more a second later`(milliseconds: Int, isTaken: Bool) {
        var world = Self.world { $0.spacing = .zero }
        world.report(2, Self.fixes(400), at: 0)
        let second = Double(milliseconds) / 1_000
        let reply = world.report(2, Self.fixes(20, first: 401, until: second), at: second)
        #expect((reply?.receipt != nil) == isTaken)
        #expect(reply?.refusal == (isTaken ? nil : .tooManyFixes(retryAfter: .milliseconds(1))))
    }

    @Test(.proves("5.22")) func `connections of one participant share the rate, other participants do not`() {
        var world = Self.world { $0.spacing = .zero }
        world.report(2, Self.fixes(400), at: 0)
        let tablet = DeviceKey(deviceID: "tablet")
        #expect(world.report(2, Self.fixes(1), at: 0, device: tablet)?.refusal != nil)
        #expect(world.report(1, Self.fixes(1), at: 0)?.receipt != nil)
    }

    @Test(.proves("5.22")) func `counts duplicates, but not fixes rejected for another reason`() {
        var world = Self.world { $0.burst = 200 }
        for _ in 1...3 { world.report(2, Self.fixes(200), at: -3_600) }
        world.report(2, Self.fixes(200), at: 0)
        #expect(world.report(2, Self.fixes(1), at: 0)?.refusal == .tooManyFixes(retryAfter: .milliseconds(50)))
    }

    // MARK: - The spacing

    @Test(
        .proves("5.23"),
        arguments: [(99, false), (100, true), (101, true), (-99, false), (-100, true)] as [(Int, Bool)]
    )
    func `applies the first of several fixes within 100 ms and acknowledges all`(apart: Int, isKept: Bool) {
        let seconds = [0, Double(apart) / 1_000]
        let fixes = seconds.enumerated().map { index, second in
            PhoneClock().wallFix(seq: UInt32(index + 1), at: .meeting + .seconds(second), metres: 300)
        }
        var (together, oneByOne) = (Self.world(), Self.world())
        #expect(together.report(2, fixes, at: 1)?.receipt?.taken == [1, 2])
        #expect(together.archive.fixes.map(\.fix.seq) == (isKept ? [1, 2] : [1]))
        for fix in fixes { #expect(oneByOne.report(2, [fix], at: 1)?.receipt?.taken == [fix.seq]) }
        #expect(oneByOne.archive.fixes.map(\.fix.seq) == (isKept ? [1, 2] : [1]))
        // Its own answer was lost: it is acknowledged again and not applied again.
        #expect(oneByOne.report(2, fixes, at: 2)?.receipt?.taken == [1, 2])
        #expect(oneByOne.archive.fixes.count == (isKept ? 2 : 1))
    }

    @Test(.proves("5.23")) func `thins the fixes of each device separately`() {
        var world = Self.world()
        world.report(2, Self.fixes(1), at: 0)
        world.report(2, Self.fixes(1), at: 0, device: DeviceKey(deviceID: "watch"))
        #expect(world.archive.fixes.count == 2)
    }

    @Test(.proves("5.23"), arguments: 1...20)
    func `spaces the fixes of a report by 100 ms in any order and drops no others`(
        seed: Int
    ) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let milliseconds = (0..<200).map { _ in Int64.random(in: -20_000...0, using: &generator) }
        let fixes = milliseconds.enumerated().map { index, span in
            PhoneClock().wallFix(seq: UInt32(index), at: .meeting + .milliseconds(span), metres: 300)
        }
        var expected: [Int64] = []
        for span in milliseconds where expected.allSatisfy({ abs($0 - span) >= 100 }) { expected.append(span) }
        var world = Self.world()
        world.report(2, fixes, at: 0)
        let kept = world.archive.fixes.map { ($0.fix.time - .meeting).milliseconds }
        #expect(kept == expected, "seed \(seed)")
    }

    // MARK: - What is kept

    @Test(.proves("5.24", "position.limit"), arguments: [(99, 99), (100, 100), (101, 100)])
    func `rejects single fixes beyond a participant's limit of stored ones`(count: Int, kept: Int) {
        var world = Self.world { $0.kept = 100 }
        world.report(2, Self.fixes(60), at: 0)
        let tablet = DeviceKey(deviceID: "tablet")
        let receipt = world.report(2, Self.fixes(count - 60), at: 0, device: tablet)?.receipt
        #expect(world.archive.fixes.count == kept)
        #expect(receipt?.taken.count == kept - 60)
        #expect(receipt?.rejected.map(\.reason) == [Refusal](repeating: .positionLimit, count: count - kept))
        #expect(world.report(1, Self.fixes(1), at: 0)?.receipt?.taken == [1], "another has their own")
    }

    @Test(.proves("5.24")) func `restores the number of stored fixes after a restart`() {
        var world = Self.world { $0.kept = 100 }
        world.report(2, Self.fixes(100), at: 0)
        world.restart(at: .meeting + .seconds(1))
        let reply = world.report(2, Self.fixes(1, first: 101, until: 5), at: 5)
        #expect(reply?.receipt?.rejected.map(\.reason) == [.positionLimit])
        #expect(world.report(2, Self.fixes(1, first: 100), at: 6)?.receipt?.taken == [100], "a repeat is acknowledged")
    }
}
