import PromisedDomain
import PromisedEngine
import PromisedTestSupport
import Testing

/// Events for all live promises of a user.
@Suite(.timeLimit(.minutes(1))) struct AllSessionsTests {
    static let promises = (1...9 as ClosedRange<UInt64>).map { Promise.sample(number: $0) }

    /// A world in which user 1 is in nine live promises and user 2 in the first of them; their sessions are
    /// independent.
    static func world() async throws -> EngineWorld {
        let archive = MemoryArchive()
        for promise in promises {
            let others: [Participant] = promise.id == promises[0].id ? [.accepted(.user(2))] : []
            archive.insert(SessionSnapshot(promise: promise, participants: [.accepted(.user(1))] + others))
        }
        let world = await EngineWorld(archive, at: .meeting)
        for promise in promises { _ = try await world.engine.registry.session(of: promise.id) }
        return world
    }

    static func report(_ user: UInt64, seq: UInt32, metres: Double) -> SessionEvent {
        let fix = Fix.sample(seq: seq, metres: metres)
        return .report(from: .user(user), Report(device: DeviceKey(deviceID: "phone"), fixes: [fix]))
    }

    @Test(arguments: [0, 1, 2, 8, 9, 10, Int.max])
    func `applies a report to all sessions, in batches of any size`(most: Int) async throws {
        let world = try await Self.world()
        let registry = world.engine.registry
        let event = Self.report(1, seq: 1, metres: 900)
        let taken = await registry.fold(event, toAllOf: .user(1), upTo: most, into: [[UInt32]]()) { taken, answer in
            if case .success(.reported(let receipt)) = answer { taken.append(receipt.taken) }
        }
        #expect(taken == Array(repeating: [1], count: 9))
        for promise in Self.promises {
            let view = try await registry.session(of: promise.id).view()
            #expect(view.members.first { $0.participant.userID == .user(1) }?.live.position != nil)
        }
        let others = await registry.fold(event, toAllOf: .user(3), upTo: most, into: 0) { count, _ in count += 1 }
        #expect(others == 0)
    }

    @Test func `answers after the effects are durable, refusals included`() async throws {
        let world = try await Self.world()
        let registry = world.engine.registry
        _ = try await registry.session(of: Self.promises[0].id).perform(.setSharing(.user(1), on: false))
        let commits = world.archive.commitCount
        let event = SessionEvent.setSharing(.user(1), on: false)
        _ = await registry.fold(event, toAllOf: .user(1), upTo: 4, into: 0) { count, _ in count += 1 }
        #expect(world.archive.commitCount == commits + 8)
        let answers = await registry.fold(
            Self.report(1, seq: 1, metres: 900),
            toAllOf: .user(1),
            upTo: 4,
            into: [Result<SessionReply, EngineError>]()
        ) {
            $0.append($1)
        }
        #expect(answers == Array(repeating: .failure(.refused(.positionSharingOff)), count: 9))
    }

    @Test func `restarts a session with a failed write first, and a repeated failure does not delay the others`()
        async throws
    {
        let world = try await Self.world()
        let registry = world.engine.registry
        world.archive.failNextCommits(1)
        let failed = await registry.fold(.setSharing(.user(1), on: false), toAllOf: .user(1), upTo: 3, into: 0) {
            if case .failure(.unavailable) = $1 { $0 += 1 }
        }
        #expect(failed == 1)
        let activations = world.archive.activationCount
        let done = await registry.fold(.setSharing(.user(1), on: true), toAllOf: .user(1), upTo: 3, into: 0) {
            if case .success = $1 { $0 += 1 }
        }
        #expect(done == 9)
        #expect(world.archive.activationCount == activations + 1)
    }

    @Test func `finds the affected sessions without loading others`() async throws {
        let world = try await Self.world()
        let meetings = await world.engine.registry.meetings()
        #expect(Set(meetings.map(\.session.id)) == Set(Self.promises.map(\.id)))
        #expect(meetings.allSatisfy { $0.meetsAt == .meeting })
    }
}
