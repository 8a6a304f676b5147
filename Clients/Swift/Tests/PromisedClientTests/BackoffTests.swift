import PromisedClient
import Testing

@Suite struct BackoffTests {
    /// Always draws its largest number, so waits are as long as possible.
    struct Largest: RandomNumberGenerator {
        mutating func next() -> UInt64 { .max }
    }

    /// Always draws one, so waits are as short as possible. (The standard library would reject zeros and draw again
    /// without end, to keep all numbers equally likely.)
    struct Smallest: RandomNumberGenerator {
        mutating func next() -> UInt64 { 1 }
    }

    private let backoff = Backoff(first: .milliseconds(250), longest: .seconds(30))

    @Test(arguments: [
        // Doubling.
        (0, 0.25), (1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (6, 16),
        // Then the maximum, without overflow.
        (7, 30), (8, 30), (64, 30), (1_000_000, 30),
    ])
    func `doubles the bound up to the maximum`(_ attempt: Int, _ seconds: Double) {
        var largest = Largest()
        let longest = backoff.wait(attempt: attempt, using: &largest)
        #expect(longest <= .seconds(seconds))
        #expect(longest >= .seconds(seconds * 0.999))
        var smallest = Smallest()
        #expect(backoff.wait(attempt: attempt, using: &smallest) == .zero)
    }

    @Test func `limits the first bound to the maximum`() {
        var largest = Largest()
        #expect(Backoff(first: .seconds(9), longest: .seconds(2)).wait(attempt: 0, using: &largest) <= .seconds(2))
    }

    @Test(arguments: [1, 2, 3, 42] as [UInt64])
    func `spreads waits over the whole bound`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let waits = (0..<1_000).map { _ in backoff.wait(attempt: 3, using: &generator) }
        #expect(waits.allSatisfy { (.zero...(.seconds(2))).contains($0) }, "seed \(seed)")
        for quarter in 0..<4 {
            let range = Duration.seconds(0.5 * Double(quarter))..<Duration.seconds(0.5 * Double(quarter + 1))
            #expect((150...350).contains(waits.count { range.contains($0) }), "seed \(seed), quarter \(quarter)")
        }
    }

    @Test func `equal seeds give equal waits, different seeds different ones`() {
        func waits(seed: UInt64) -> [Duration] {
            var generator = SeededGenerator(seed: seed)
            return (0..<10).map { backoff.wait(attempt: $0, using: &generator) }
        }
        #expect(waits(seed: 7) == waits(seed: 7))
        #expect(waits(seed: 7) != waits(seed: 8))
    }
}
