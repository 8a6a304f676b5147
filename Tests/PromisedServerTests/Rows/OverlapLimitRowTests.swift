import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedSettings

/// A user takes part in at most twelve promises whose windows have an instant in common (domain §4).
@Suite("Limits of overlapping windows over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct OverlapLimitRowTests {
    private static let meetsAt = ServerWorld.start + .hours(2)
    /// The first meeting after the windows at `meetsAt`.
    private static let after = meetsAt + .hours(3) + .minutes(30)
    private static let code = "AAAABBBBCC"

    /// Runs `body` with Ada, who has accepted `accepted` promises of strangers at `meetsAt`, numbered from 1. Promise 21 is
    /// at the same time and Ada invited; 22 too, and the code lets people in; 23 is Bea's, `after`, and Ada has accepted.
    private static func run(
        accepted: Int,
        _ body: @Sendable ([Device]) async throws -> Void
    ) async throws {
        try await ServerWorld.seeded(
            ["Ada", "Bea"],
            configure: { $0.limits.requestBurst = 10_000 },
            seed: { store, users in
                let owners = try await store.fill(3)
                let ada = Participant.accepted(users[0], at: ServerWorld.start)
                for number in 1...accepted { try await store.add(number, of: owners[number % 3], with: [ada]) }
                try await store.add(21, of: owners[0], with: [.invited(users[0])])
                try await store.add(22, of: owners[1], with: [])
                try await store.add(23, of: users[1], with: [ada], at: after)
                try await store.promises.createInvite(code, to: .number(22), expiresAt: nil, now: ServerWorld.start)
            },
            body: { _, devices in try await body(devices) }
        )
    }

    @Test(.proves("4.5"))
    func `accepts a twelfth overlapping promise, created, accepted or joined, and rejects a thirteenth`() async throws {
        try await Self.run(accepted: 11) { devices async throws in
            let ada = devices[0]
            let make = WireRequest.createPromise(.sample(key: "twelfth", meetsAt: Self.meetsAt))
            #expect(try await ada.refusal(make) == nil)
            // Repeating the request creates no other promise.
            #expect(try await ada.refusal(make) == nil)
            let thirteenth = try await ada.error(.createPromise(.sample(meetsAt: Self.meetsAt)))
            #expect(thirteenth?.code == "promise.limit")
            #expect(thirteenth?.field == "meetsAt")
            #expect(thirteenth?.message.contains("more than 12 promises whose windows overlap") == true)
            let accept = WireRequest.respond(.to(.number(21), accept: true))
            #expect(try await ada.error(accept)?.code == "promise.limit")
            #expect(try await ada.error(.joinByCode(.typed(Self.code)))?.code == "promise.limit")
            // An instant of overlap is enough, a common end and start is not an overlap.
            let moment = TimeSpan.milliseconds(1)
            #expect(try await ada.refusal(.createPromise(.sample(meetsAt: Self.after - moment))) == .promiseLimit)
            #expect(try await ada.refusal(.createPromise(.sample(meetsAt: Self.after))) == nil)
            // Leaving one makes room for another.
            #expect(try await ada.refusal(.leavePromise(.of(PromiseID.number(3).wireText))) == nil)
            #expect(try await ada.refusal(accept) == nil)
            #expect(try await ada.refusal(accept) == nil)
            #expect(try await ada.refusal(.joinByCode(.typed(Self.code))) == .promiseLimit)
            #expect(try await ada.refusal(.leavePromise(.of(PromiseID.number(4).wireText))) == nil)
            #expect(try await ada.refusal(.joinByCode(.typed(Self.code))) == nil)
            #expect(try await ada.refusal(.joinByCode(.typed(Self.code))) == nil)
        }
    }

    @Test func `an invitation without room can be declined`() async throws {
        try await Self.run(accepted: 12) { devices async throws in
            #expect(try await devices[0].refusal(.respond(.to(.number(21), accept: false))) == nil)
        }
    }

    @Test(.proves("4.5")) func `rejects moving a promise to a time with twelve of a participant`() async throws {
        try await Self.run(accepted: 12) { devices async throws in
            let bea = devices[1]
            var move = WireUpdatePromise()
            move.promiseID = PromiseID.number(23).wireText
            move.version = 1
            move.meetsAt = WireTimestamp(Self.meetsAt)
            let refused = try await bea.error(.updatePromise(move))
            #expect(refused?.code == "promise.limit")
            #expect(refused?.field == "meetsAt")
            // Not the owner, which takes precedence.
            #expect(try await devices[0].refusal(.updatePromise(move)) == .promiseNotOwner)
            // The promise is unchanged, so the version is the same; other fields and other times can change.
            var title = WireUpdatePromise()
            (title.promiseID, title.version, title.title) = (move.promiseID, 1, "Later")
            #expect(try await bea.refusal(.updatePromise(title)) == nil)
            move.version = 2
            #expect(try await bea.refusal(.updatePromise(move)) == .promiseLimit)
            move.meetsAt = WireTimestamp(Self.after + .hours(1))
            #expect(try await bea.refusal(.updatePromise(move)) == nil)
            // A participant removed by the same edit needs no room.
            move.version = 3
            move.meetsAt = WireTimestamp(Self.meetsAt)
            move.remove = [try await bea.participants(of: .number(23)).last?.user.userID ?? ""]
            #expect(try await bea.refusal(.updatePromise(move)) == nil)
        }
    }

    @Test(.proves("4.5"))
    func `keeps stored promises beyond the limit, and leaving them makes room`() async throws {
        try await Self.run(accepted: 15) { devices async throws in
            let ada = devices[0]
            for number in 1...15 as ClosedRange<UInt64> {
                #expect(try await ada.refusal(.getPromise(.of(PromiseID.number(number).wireText))) == nil)
            }
            let accept = WireRequest.respond(.to(.number(21), accept: true))
            for number in 1...3 as ClosedRange<UInt64> {
                #expect(try await ada.refusal(accept) == .promiseLimit)
                #expect(try await ada.refusal(.leavePromise(.of(PromiseID.number(number).wireText))) == nil)
            }
            #expect(try await ada.refusal(accept) == .promiseLimit)
            #expect(try await ada.refusal(.leavePromise(.of(PromiseID.number(4).wireText))) == nil)
            #expect(try await ada.refusal(accept) == nil)
        }
    }
}

extension PromiseID {
    /// The id of the sample promise of this number.
    fileprivate static func number(_ number: UInt64) -> PromiseID { Promise.sample(number: number).id }
}

extension WireRespond {
    fileprivate static func to(_ id: PromiseID, accept: Bool) -> WireRespond { .to(id.wireText, accept: accept) }
}

extension Store {
    /// Adds the sample promise of a number, with its owner and others.
    fileprivate func add(
        _ number: Int,
        of owner: UserID,
        with others: [Participant],
        at meetsAt: Instant = ServerWorld.start + .hours(2)
    ) async throws {
        let promise = Promise.sample(number: UInt64(number), owner: owner, meetsAt: meetsAt)
        let outcome = try await promises.createPromise(
            promise,
            participants: [.accepted(owner, at: ServerWorld.start)] + others,
            events: [],
            key: "\(promise.id)",
            contentHash: [1],
            now: ServerWorld.start
        )
        try #require(outcome == .created)
    }
}

extension Device {
    /// The error in reply to a request; nil if it succeeds.
    fileprivate func error(_ request: WireRequest) async throws -> WireErrorReply? {
        guard case .error(let error) = try await call(request) else { return nil }
        return error
    }

    /// The participants of a promise as seen by this device.
    fileprivate func participants(of id: PromiseID) async throws -> [WireParticipant] {
        guard case .promise(let reply) = try await call(.getPromise(.of(id.wireText))) else { throw NoReply() }
        return reply.promise.participants
    }
}
