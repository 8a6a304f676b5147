import PromisedDomain
import PromisedSimulation
import Testing

@testable import PromisedStore

@Suite struct NearestCoursesTests {
    /// Few distances, so that many are equal.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the nearest courses equal the first of all sorted ones`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let all = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
            NearestCourses.Entry(
                metres: Double(Int.random(in: 0...9, using: &generator)),
                id: .course(UInt64.random(in: 1...1_000_000, using: &generator))
            )
        }
        let sorted = all.sorted { $0.metres == $1.metres ? $0.id > $1.id : $0.metres < $1.metres }
        for limit in 1...9 {
            for start in [nil, sorted.randomElement(using: &generator)] {
                var nearest = NearestCourses(limit: limit, after: start)
                for entry in all { nearest.insert(entry) }
                let rest = start.map { start in Array(sorted.drop { $0 != start }.dropFirst()) } ?? sorted
                #expect(nearest.entries == Array(rest.prefix(limit)), "seed \(seed)")
            }
        }
    }
}
