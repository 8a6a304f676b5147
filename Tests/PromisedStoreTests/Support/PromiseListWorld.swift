import PromisedDomain
import PromisedSimulation
import PromisedTestSupport

@testable import PromisedStore

/// Random promises of user 2 with some part of user 1, and the expected entries of the lists of user 1.
struct PromiseListWorld {
    /// The instant of the lists.
    static let now = Instant.meeting
    private var promises: [(promise: Promise, mine: Participant)] = []

    /// A world of `count` promises around now, several of them at the same time.
    init(count: UInt64, using generator: inout SeededGenerator) {
        for number in 1...count {
            var promise = Promise.sample(
                number: number,
                owner: .user(2),
                meetsAt: PromiseListWorld.now + .minutes(.random(in: -40...40, using: &generator) * 15)
            )
            if Int.random(in: 0..<5, using: &generator) == 0 { promise.cancelledAt = promise.createdAt }
            promises.append((promise, PromiseListWorld.participant(of: promise, using: &generator)))
        }
    }

    /// Creates all of them.
    func fill(_ store: Store) async throws {
        for (promise, mine) in promises { try await store.open(promise, with: [mine]) }
    }

    /// The promises of a list, in its order.
    func expected(_ list: PromiseList) -> [PromiseID] {
        let members = promises.filter { belongs($0.promise, $0.mine, to: list) }.map(\.promise)
        let ascending = members.sorted { ($0.meetsAt, $0.id) < ($1.meetsAt, $1.id) }.map(\.id)
        return list == .past ? ascending.reversed() : ascending
    }

    private func belongs(_ promise: Promise, _ mine: Participant, to list: PromiseList) -> Bool {
        let status = promise.status(at: PromiseListWorld.now)
        return switch list {
        case .upcoming: mine.membership == .accepted && status == .scheduled
        case .tracking: mine.membership == .accepted && (status == .tracking || status == .settling)
        case .past: mine.tookPart(from: promise.opensAt) && (status == .final || status == .cancelled)
        case .invited: mine.membership == .invited && (status == .scheduled || status == .tracking)
        }
    }

    private static func participant(of promise: Promise, using generator: inout SeededGenerator) -> Participant {
        let offset = TimeSpan.minutes(.random(in: -1...1, using: &generator))
        return switch Int.random(in: 0..<5, using: &generator) {
        case 0: .invited(.user(1))
        case 1: .declined(.user(1))
        case 2: .left(.user(1), at: promise.opensAt + offset)
        default: .accepted(.user(1))
        }
    }
}
