import Foundation
import PromisedWorld

extension FuzzTarget {
    static let conversation = FuzzTarget(
        "conversation",
        "A server with two to four people, any valid acts in any order and any mishaps, keeps every invariant.",
        longest: 256,
        needsOwnProcess: true
    ) { bytes throws(Violation) in
        let story = Story(bytes: bytes)
        let outcome: Outcome
        do {
            outcome = try Simulation.live(story)
        } catch {
            throw Violation("there is no world: \(error)")
        }
        guard let violation = outcome.violation else { return }
        // promise-simulate --story repeats it.
        let json = (try? JSONEncoder().encode(story)).map { String(decoding: $0, as: UTF8.self) } ?? "\(story)"
        throw Violation("\(violation.invariant.rawValue): \(violation.detail), in the story \(json)")
    }
}
