import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings

/// "Does not exist" and "not yours" have the same reply, to the byte and in duration (domain §10).
@Suite("Answers to strangers", .tags(.alone), .serialized, .timeLimit(.minutes(2)))
struct SecrecyTests {
    private static let meetsAt = ServerWorld.start + .hours(2)
    private static let unknown = "01940000-0000-7000-8000-000000000001"
    private static let busy: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.requestBurst = 100_000
        $0.throttle.wrongCodes = 100_000
        $0.throttle.find = 100_000
    }

    // MARK: - To the byte

    @Test(.proves("10.5", "promise.not-found"), .defends("guessed-ids"), arguments: WireCodec.allCases)
    func `another user's promise equals one that does not exist`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec, configure: Self.busy) { world in
            try await world.with("Ada", "Bea", "Cid") { people async throws in
                let (ada, bea) = (people[0], people[1])
                let mine = try await ada.promise(with: [bea], at: Self.meetsAt).promiseID
                try await world.devices { connect in
                    let eve = try await connect()
                    _ = try await eve.signUp("Eve")
                    let about = zip(
                        WireRequest.all(about: mine, and: bea.id),
                        WireRequest.all(about: Self.unknown, and: bea.id)
                    )
                    for (theirs, nobodys) in about {
                        let answer = try await eve.answer(to: theirs)
                        #expect(answer == (try await eve.answer(to: nobodys)))
                        let error = try codec.decodeServerFrame(answer).expect(\.error)
                        #expect(error.code == "promise.not-found")
                    }
                    // The requests had no effect.
                    #expect(try await ada.see(mine).participants.map(\.membership) == [.accepted, .accepted])
                }
            }
        }
    }

    @Test(.proves("10.5"), .defends("positions-outside"))
    func `a user who declined, left before the opening or was removed is a stranger again`() async throws {
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada", "Bea", "Cid", "Dan") { ada, bea, cid, dan async throws in
                let id = try await ada.promise(with: [bea, cid], at: Self.meetsAt).promiseID
                _ = try await bea.client.leavePromise(id)
                try await ada.befriend(dan)
                var update = WireUpdatePromise()
                (update.promiseID, update.version) = (id, try await ada.see(id).version)
                (update.invite, update.remove) = ([dan.id], [cid.id])
                _ = try await ada.client.updatePromise(update)
                _ = try await dan.client.respond(promiseID: id, accept: false)
                for person in [bea, cid, dan] {
                    let about = zip(
                        WireRequest.all(about: id, and: ada.id),
                        WireRequest.all(about: Self.unknown, and: ada.id)
                    )
                    for (theirs, nobodys) in about where !theirs.isOfWhoTakesPart {
                        let error = try #require(await person.error(theirs))
                        #expect(error.code == "promise.not-found")
                        #expect(await person.error(nobodys) == error)
                    }
                }
            }
        }
    }

    @Test(.proves("4.10", "10.5"), arguments: WireCodec.allCases)
    func `answers used, revoked, expired and unknown codes equally`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec, rate: 20, configure: Self.busy) { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                let id = try await ada.promise(with: [], at: world.now + .hours(20)).promiseID
                let replaced = try await ada.invite(to: id).code
                let expired = try await ada.invite(to: id, expiresInMs: 1).code
                let other = try await ada.promise(with: [], at: world.now + .hours(21)).promiseID
                let revoked = try await ada.invite(to: other).code
                try await ada.client.revokeInvite(promiseID: other)
                let cancelled = try await ada.promise(with: [], at: world.now + .hours(22)).promiseID
                let ofCancelled = try await ada.invite(to: cancelled).code
                _ = try await ada.client.cancelPromise(cancelled)
                let guarded = try await ada.promise(with: [], at: world.now + .hours(23)).promiseID
                let ofBlocker = try await ada.invite(to: guarded).code
                try await world.service.clock.sleep(until: world.now + .milliseconds(2))
                try await world.devices { connect in
                    let eve = try await connect()
                    let userID = try await eve.signUp("Eve").user.userID
                    _ = try await ada.client.call(.blockUser(.of(userID)))
                    let nothing = try await eve.answer(to: .joinByCode(.typed("ABCDEFGH23")))
                    for code in [replaced, expired, revoked, ofCancelled, ofBlocker, "", "no code at all", "💥"] {
                        #expect(try await eve.answer(to: .joinByCode(.typed(code))) == nothing)
                    }
                }
            }
        }
    }

    @Test(.proves("10.5")) func `a hidden user equals one who does not exist`() async throws {
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                for (theirs, nobodys) in [
                    (.getProfile(.of(bea.id)), .getProfile(.of(Self.unknown))),
                    (.getStatistics(.of(bea.id)), .getStatistics(.of(Self.unknown))),
                    (.removeFriend(.of(bea.id)), .removeFriend(.of(Self.unknown))),
                ] as [(WireRequest, WireRequest)] {
                    let error = try #require(await ada.error(theirs))
                    #expect(error.code == "user.not-found")
                    #expect(await ada.error(nobodys) == error)
                }
            }
        }
    }

    // MARK: - Duration

    @Test(.proves("10.5"), .defends("guessed-ids"))
    func `an unknown promise takes as long as another user's`() async throws {
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let mine = try await people[0].promise(with: [people[1]], at: Self.meetsAt).promiseID
                // It even has a live session, which takes no less time to find.
                _ = try await people[0].client.subscribe(promiseID: mine)
                try await world.devices { connect in
                    let eve = try await connect()
                    _ = try await eve.signUp("Eve")
                    let (theirs, nobodys) = try await Self.medians(
                        of: .getPromise(.of(mine)),
                        and: .getPromise(.of(Self.unknown)),
                        on: eve
                    )
                    #expect(Self.isAlike(theirs, nobodys), "\(theirs) against \(nobodys)")
                }
            }
        }
    }

    @Test(.proves("2.4"), .defends("address-oracle"))
    func `a wrong address takes as long as a wrong password`() async throws {
        let costly: @Sendable (inout ServerSettings) -> Void = {
            Self.busy(&$0)
            $0.limits.requestsBeforeSignIn = 1_000
            $0.throttle.signInsPerAccount = 100_000
        }
        try await ServerWorld.with(configure: costly) { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let (wrong, unknown) = try await Self.medians(
                        of: .signIn(.sample(people[0].email, "wrong password")),
                        and: .signIn(.sample("nobody@example.org", "wrong password")),
                        on: try await connect()
                    )
                    #expect(Self.isAlike(wrong, unknown), "\(wrong) against \(unknown)")
                }
            }
        }
    }

    /// The durations of two requests in turn, many times.
    private static func medians(
        of one: WireRequest,
        and other: WireRequest,
        on device: Device
    ) async throws -> (Duration, Duration) {
        var (first, second): ([Duration], [Duration]) = ([], [])
        for _ in 1...201 {
            first.append(try await ContinuousClock().measure { _ = try await device.refusal(one) })
            second.append(try await ContinuousClock().measure { _ = try await device.refusal(other) })
        }
        return (first.sorted()[100], second.sorted()[100])
    }

    /// Neither takes twice as long as the other, within half a millisecond: activating a session, or hashing a
    /// password, takes longer.
    private static func isAlike(_ one: Duration, _ other: Duration) -> Bool {
        let slack = Duration.microseconds(500)
        return one < other * 2 + slack && other < one * 2 + slack
    }
}

extension WireRequest {
    /// `true` if it reveals data of its sender to the others: a former participant receives their removal.
    fileprivate var isOfWhoTakesPart: Bool {
        switch self {
        case .report, .reportTrouble, .setSharing, .setStatus, .nudge: true
        default: false
        }
    }
}
