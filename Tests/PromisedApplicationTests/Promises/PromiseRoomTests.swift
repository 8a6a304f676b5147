import PromisedDomain
import PromisedEngine
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Concurrent requests respect the limit of overlapping windows like sequential ones.
@Suite(.timeLimit(.minutes(1))) struct PromiseRoomTests {
    private static let meetsAt = PlaceWorld.noon + .days(1)

    @Test(.proves("4.5")) func `creates twelve of thirty simultaneous promises`() async throws {
        try await PromiseWorld.run { world in
            let made = await Self.count(30) { number in
                _ = try await world.create(at: .pier, key: "key \(number)")
            }
            #expect(made == 12)
        }
    }

    @Test(.proves("4.5")) func `accepts twelve of twenty simultaneous invitations`() async throws {
        try await PromiseWorld.run { world in
            let invitations = try await world.invitations(20)
            let accepted = await Self.count(20) { number in
                _ = try await world.promises.respond(invitations[number], accept: true, by: .user(1))
            }
            #expect(accepted == 12)
        }
    }

    @Test(.proves("4.5")) func `moving a promise during acceptances leaves no user in thirteen`() async throws {
        for _ in 1...5 {
            try await PromiseWorld.run { world in
                for number in 0..<12 { _ = try await world.create(at: .pier, key: "own \(number)") }
                let moving = try await world.invitation(20, at: Self.meetsAt + .days(2))
                var edit = PromiseEdit(version: 1)
                edit.meetsAt = Self.meetsAt
                async let moved = Self.count(1) { [edit] _ in
                    _ = try await world.promises.edit(moving, edit, by: .user(2))
                }
                async let accepted = Self.count(1) { _ in
                    _ = try await world.promises.respond(moving, accept: true, by: .user(1))
                }
                // The later one is refused.
                let done = await moved + accepted
                #expect(done == 1)
            }
        }
    }

    /// How many of the concurrent requests succeed; the others must be refused with `promiseLimit`.
    private static func count(_ acts: Int, _ act: @escaping @Sendable (Int) async throws -> Void) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<acts {
                group.addTask {
                    do {
                        try await act(number)
                        return true
                    } catch {
                        guard case ApplicationError.refused(.promiseLimit, _, _) = error else {
                            Issue.record(error)
                            return false
                        }
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}

extension Place {
    fileprivate static let pier = Place(name: "The pier", coordinate: .meetingPlace)
}

extension PromiseWorld {
    /// Promises of users 2 and 3 at the same time, to which user 1 is invited.
    fileprivate func invitations(_ count: Int) async throws -> [PromiseID] {
        var ids: [PromiseID] = []
        for number in 0..<count {
            ids.append(try await invitation(UInt64(number), at: PlaceWorld.noon + .days(1)))
        }
        return ids
    }

    fileprivate func invitation(_ number: UInt64, at meetsAt: Instant) async throws -> PromiseID {
        var promise = Promise.sample(number: 100 + number, owner: .user(2 + number % 2), meetsAt: meetsAt)
        promise.createdAt = PlaceWorld.noon
        let outcome = try await places.store.promises.createPromise(
            promise,
            participants: [.accepted(promise.ownerID, at: PlaceWorld.noon), .invited(.user(1), at: PlaceWorld.noon)],
            events: [],
            key: "\(promise.id)",
            contentHash: [1],
            now: PlaceWorld.noon
        )
        try #require(outcome == .created)
        return promise.id
    }
}
