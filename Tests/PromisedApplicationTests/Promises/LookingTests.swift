import PromisedDomain
import PromisedEngine
import PromisedSimulation
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Requests that only read a promise write nothing, and leave it without a session and an owner as it was.
@Suite(.timeLimit(.minutes(1))) struct LookingTests {
    private static let connection = SubscriberID(rawValue: 1)

    /// The state of an unused promise.
    enum Rest: CaseIterable {
        case toCome, over, cancelled
    }

    /// A use case that reads a promise, with its name.
    struct Look: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let act: @Sendable (LookingWorld, PromiseID) async throws -> Void

        init(_ name: String, _ act: @escaping @Sendable (LookingWorld, PromiseID) async throws -> Void) {
            (testDescription, self.act) = (name, act)
        }
    }

    private static let looks = [
        Look("getPromise") { _ = try await $0.promises.show($1, to: .user(2)) },
        Look("getPromise, invited") { _ = try await $0.promises.show($1, to: .user(3)) },
        Look("getPromise, stranger") { world, id in
            await #expect(throws: Refusal.promiseNotFound) { try await world.promises.show(id, to: .user(9)) }
        },
        Look("listPromises") { world, id in
            for list in [.upcoming, .tracking, .past, .invited] as [PromiseList] {
                _ = try await world.promises.list(list, of: .user(2), after: nil, limit: 9, at: world.clock.now)
            }
        },
        Look("getResult") { _ = try? await $0.results.result(of: $1, for: .user(2)) },
        Look("explainArrival") { world, id in
            let explained = try await world.results.explained(.user(2), in: id, to: .user(.user(1)))
            _ = try await world.results.events(of: id, after: 0, limit: 100)
            let first = try await world.results.explanation(of: explained, on: connection, isFirstPage: true)
            #expect(first?.count == 0)
            await world.results.endExplanation(of: .user(2), in: id, on: connection)
        },
        Look("getShareText") { _ = try await $0.texts.text(of: $1, for: .user(2)) },
        Look("getOutlook") { _ = try await $0.outlooks.outlook(ofPromise: $1, for: .user(2)) },
        Look("showPromise") { world, id in
            let view = try await world.administration.show(id).view
            #expect(view.members.count == 3)
        },
        Look("admin's listPromises") { world, _ in
            let page = try await world.administration.list(
                of: .user(2),
                with: nil,
                after: nil,
                limit: 9,
                at: world.clock.now
            )
            #expect(page.items.count == 1)
        },
        Look("admin's result") { _ = try? await $0.results.result(of: $1) },
        Look("admin's explainArrival") { world, id in
            _ = try await world.results.explained(.user(2), in: id, to: .administrator)
        },
        Look("exportPositions") { _ = try await $0.results.positions(in: $1, after: nil, limit: 9) },
    ]

    /// A promise of users 1 and 2, with user 3 invited, in a server without its session.
    private static func atRest(
        _ rest: Rest,
        _ body: (LookingWorld, PromiseID) async throws -> Void
    ) async throws {
        try await LookingWorld.run { first in
            let id = try await first.create(inviting: [.user(2), .user(3)])
            try await first.perform(.respond(.user(2), accept: true), on: id)
            switch rest {
            case .toCome: break
            case .over: try await first.finish(id)
            case .cancelled: try await first.perform(.cancel(by: .user(1), reason: "rain"), on: id)
            }
            try await body(await first.restarted, id)
        }
    }

    @Test(.proves("4.19"), arguments: Rest.allCases, looks)
    func `reading writes nothing, activates nothing and creates no session`(rest: Rest, look: Look) async throws {
        try await Self.atRest(rest) { world, id in
            let owned = try await world.store.sessions.activate(id)
            let before = world.commits
            try await look.act(world, id)
            try await look.act(world, id)
            #expect(world.commits == before)
            #expect(await world.liveCount == 0)
            #expect(world.cards.count == 0)
            #expect(try await world.store.sessions.activate(id) == owned + 1)
        }
    }

    @Test(.proves("4.19"), arguments: Rest.allCases)
    func `shows a promise without a session with the names of its participants`(rest: Rest) async throws {
        try await Self.atRest(rest) { world, id in
            let shown = try await world.promises.show(id, to: .user(1))
            #expect((1...3).map { shown.cards.card(.user($0)).nickname } == ["User_1", "User_2", "User_3"])
            #expect(shown.cards.card(.user(9)).isDeleted, "nobody of this promise")
            // The reply has the changes made before it was written.
            world.cards.update(UserCard(id: .user(2), nickname: "Changed"))
            world.cards.update(.tombstone(of: .user(3)))
            #expect(shown.cards.card(.user(2)).nickname == "Changed")
            #expect(shown.cards.card(.user(3)).isDeleted)
        }
    }

    @Test func `shows a deleted user as a tombstone without a session`() async throws {
        try await Self.atRest(.over) { world, id in
            _ = try await world.store.deletions.beginDeletion(of: .user(2), at: world.clock.now) { _ in [] }
            let shown = try await world.promises.show(id, to: .user(1))
            #expect(shown.cards.card(.user(2)).isDeleted)
            let result = try await world.results.result(of: id, for: .user(1))
            #expect(result.cards.card(.user(2)).isDeleted && !result.cards.card(.user(1)).isDeleted)
        }
    }

    @Test(.proves("4.19")) func `creating a promise needs one transaction, no session and no epoch`() async throws {
        try await LookingWorld.run { world in
            world.announcer.connect(.user(2), as: Self.connection)
            _ = try await world.create(key: "without guests")
            let before = world.commits
            // Befriending is another one.
            let id = try await world.create(inviting: [.user(2)])
            #expect(world.commits == before + 2)
            #expect(world.announcer.deliveries.compactMap(\.event?.event) == [.invited(.user(2))])
            #expect(await world.liveCount == 0)
            #expect(world.cards.count == 0)
            #expect(try await world.store.sessions.activate(id) == 1)
        }
    }

    @Test(.proves("4.19")) func `only an activation increments the epoch`() async throws {
        try await Self.atRest(.toCome) { world, id in
            let owned = try await world.store.sessions.activate(id)
            _ = try await world.promises.show(id, to: .user(1))
            try await world.perform(.setStatus(.user(2), text: "soon", emoji: nil), on: id)
            try await world.perform(.setStatus(.user(2), text: "late", emoji: nil), on: id)
            let shown = try await world.promises.show(id, to: .user(1))
            #expect(shown.view.members.map(\.participant.statusText) == ["", "late", ""])
            #expect(await world.liveCount == 1)
            #expect(try await world.store.sessions.activate(id) == owned + 2)
        }
    }

    @Test(.proves("4.20")) func `an activation writes only the pending positions of its promise`() async throws {
        try await LookingWorld.run { world in
            let (one, other) = (try await world.create(key: "one"), try await world.create(key: "other"))
            let fixes = (1...2).map { ArchivedFix(userID: .user(1), device: DeviceKey(deviceID: "d"), fix: .at($0)) }
            world.archive.keep([fixes[0]], of: one)
            world.archive.keep([fixes[1]], of: other)
            let before = world.commits
            #expect(try await world.archive.activate(one)?.ownerEpoch == 1)
            #expect(world.commits == before + 2)
            #expect(try await world.store.fixes.fixes(of: .user(1), in: one) == [fixes[0]])
            #expect(try await world.store.fixes.fixes(of: .user(1), in: other) == [])
            // None of its positions is pending, so the next activation is one transaction.
            _ = try await world.archive.activate(one)
            #expect(world.commits == before + 3)
            // A read finds pending positions and leaves them pending.
            #expect(try await world.archive.fixes(of: .user(1), in: other) == [fixes[1]])
            #expect(try await world.archive.fixes(of: .user(2), in: other) == [])
            #expect(world.commits == before + 3)
            #expect(try await world.archive.positions(in: one, after: nil, limit: 9).items == [fixes[0]])
            #expect(world.commits == before + 3)
            #expect(try await world.archive.positions(in: other, after: nil, limit: 9).items == [fixes[1]])
            #expect(world.commits == before + 4)
        }
    }

    @Test(.proves("4.19"), arguments: 1...8)
    func `the store shows each viewer the same as the session`(seed: Int) async throws {
        try await LookingWorld.run { world in
            var generator = SeededGenerator(seed: UInt64(seed))
            let id = try await world.create(inviting: [.user(2), .user(3), .user(4)])
            let promise = try await world.sessions.wholeView(of: id).promise
            let other = await world.restarted
            for step in 0..<40 {
                if step == 30 { try await world.finish(id) }
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    let blocked = UserID.user(.random(in: 3...8, using: &generator))
                    _ = try? await world.friendships.block(blocked, by: .user(2), at: world.clock.now)
                }
                try await world.perform(.calm(of: promise, using: &generator), on: id)
                for viewer in [nil] + (1...9).map({ UserID.user($0) }) {
                    let stored = try await other.engine.registry.view(of: id, for: viewer)
                    let live = try await world.engine.registry.view(of: id, for: viewer)
                    // Without the views, which fill the pages.
                    #expect((stored == live) == true, "seed \(seed), step \(step), \(String(describing: viewer))")
                }
                world.clock.advance(by: .hours(1))
            }
            #expect(await other.liveCount == 0)
            #expect(await world.liveCount == 1)
        }
    }
}

extension SettledFix {
    fileprivate static func at(_ seq: Int) -> SettledFix {
        .sample(seq: UInt32(seq), at: .meeting + .seconds(Double(seq)), metres: 10)
    }
}
