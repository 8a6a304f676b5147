import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings

@Suite("Profiles over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct ProfileConversationTests {
    private static let stranger = "01940000-0000-7000-8000-000000000001"

    @Test(.proves("getMe", "updateMe"), arguments: WireCodec.allCases)
    func `shows and changes an account`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let before = try await people[0].me()
                #expect(before.user.nickname == "Ada" && before.user.userID == people[0].id)
                #expect(before.email == "Ada@example.org" && before.locale == "en" && before.timeZone == "UTC")
                #expect(before.statistics.userID == people[0].id && before.statistics.tier == "newcomer")
                #expect(!before.statistics.hasPunctualityPercent)
                let changes = WireUpdateMe.sample(
                    nickname: " Ädä_1 ",
                    avatar: "cat",
                    locale: "ko-kr",
                    timeZone: "Asia/Seoul"
                )
                let after = try await people[0].client.call(.updateMe(changes)).expect(\.me)
                #expect(after.user.nickname == "Ädä_1" && after.user.avatar == "cat")
                #expect(after.locale == "ko-KR" && after.timeZone == "Asia/Seoul")
                // Absent fields keep their values; an empty picture removes the picture.
                let bare = try await people[0].client.call(.updateMe(.sample(avatar: ""))).expect(\.me)
                #expect(bare.user.avatar == "" && bare.user.nickname == "Ädä_1" && bare.locale == "ko-KR")
                #expect(try await people[0].me() == bare)
            }
        }
    }

    @Test(.proves("2.13", "updateMe")) func `checks each field, and changes nothing if one is invalid`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                let ada = people[0]
                let before = try await ada.me()
                let wrong: [(WireUpdateMe, String)] = [
                    (.sample(nickname: "A", avatar: "x"), "nickname"),
                    (.sample(nickname: String(repeating: "a", count: 21)), "nickname"),
                    (.sample(nickname: "a b"), "nickname"), (.sample(nickname: ""), "nickname"),
                    (.sample(avatar: String(repeating: "a", count: 65)), "avatar"),
                    (.sample(avatar: "a\u{7}b"), "avatar"),
                    (.sample(avatar: "x", locale: "k"), "locale"), (.sample(locale: ""), "locale"),
                    (.sample(avatar: "x", timeZone: "Mars/Base"), "timeZone"), (.sample(timeZone: ""), "timeZone"),
                ]
                for (request, field) in wrong {
                    let error = try #require(await ada.error(.updateMe(request)))
                    #expect(error.code == ErrorCode.requestInvalid.rawValue && error.field == field, "\(request)")
                }
                let taken = try #require(await ada.error(.updateMe(.sample(nickname: "bEA", avatar: "x"))))
                #expect(taken.code == ErrorCode.userNicknameTaken.rawValue && taken.field == "nickname")
                #expect(try await ada.me() == before)
                let edges: [WireUpdateMe] = [
                    .sample(nickname: "Ab"), .sample(nickname: String(repeating: "ß", count: 20)),
                    .sample(avatar: String(repeating: "é", count: 63)),
                    .sample(avatar: String(repeating: "é", count: 64)),
                    .sample(nickname: "aDA"), .sample(),
                ]
                for request in edges { #expect(await ada.refusal(.updateMe(request)) == nil, "\(request)") }
            }
        }
    }

    @Test func `shows a new nickname at once in a live promise`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                let promise = try await people[0].promise(with: [people[1]], at: ServerWorld.start + .hours(2))
                _ = try await people[0].client.subscribe(promiseID: promise.promiseID)
                #expect(await people[1].refusal(.updateMe(.sample(nickname: "Beatrix", avatar: "dog"))) == nil)
                let seen = try await people[0].client.getPromise(promise.promiseID).participants[1].user
                #expect(seen.nickname == "Beatrix" && seen.avatar == "dog")
            }
        }
    }

    @Test(.proves("3.9", "findUser")) func `finds users by exact nickname in any case`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                for name in ["Bea", "bEA", " bea ", "ＢＥＡ"] {
                    let card = try await people[0].client.call(.findUser(.named(name))).expect(\.userCard)
                    #expect(card.userID == people[1].id && card.nickname == "Bea")
                }
                for name in ["Be", "Beaa", "", "%", "B_a", String(repeating: "b", count: 2_000)] {
                    #expect(await people[0].refusal(.findUser(.named(name))) == .userNotFound)
                }
            }
        }
    }

    @Test(.proves("limit.attempts"))
    func `limits searches a minute, in every request that reveals a nickname`() async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { $0.throttle.find = 4 }
        try await ServerWorld.with(configure: few) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let ada = people[0]
                #expect(await ada.refusal(.findUser(.named("Bea"))) == nil)
                #expect(await ada.refusal(.findUser(.named("nobody"))) == .userNotFound)
                #expect(await ada.refusal(.requestFriend(.named("nobody"))) == .userNotFound)
                #expect(await ada.refusal(.updateMe(.sample(nickname: "Bea"))) == .userNicknameTaken)
                for request in [
                    .findUser(.named("Bea")), .requestFriend(.named("Bea")), .updateMe(.sample(nickname: "Bea")),
                ] as [WireRequest] {
                    let error = try #require(await ada.error(request))
                    #expect(error.code == ErrorCode.limitAttempts.rawValue)
                    #expect((1...60_000).contains(error.retryAfterMs))
                }
                // Per user, and only for this request.
                #expect(await people[1].refusal(.findUser(.named("Ada"))) == nil)
                #expect(await ada.refusal(.requestFriend(.to(people[1].id))) == nil)
                #expect(await ada.refusal(.updateMe(.sample(avatar: "cat"))) == nil)
            }
        }
    }

    @Test(.proves("3.9", "getProfile")) func `shows a profile only to friends and fellow participants`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid", "Dan") { ada, bea, cid, dan async throws in
                #expect(await ada.sees(ada))
                #expect(await !ada.sees(bea))
                #expect(await ada.refusal(.getProfile(.of(Self.stranger))) == .userNotFound)
                #expect(await ada.refusal(.getStatistics(.of(Self.stranger))) == .userNotFound)
                #expect(await ada.refusal(.getProfile(.of("x"))) == .requestInvalid)
                _ = try await ada.promise(with: [bea, cid], at: ServerWorld.start + .hours(2))
                try await ada.befriend(dan)
                for (viewer, user) in [(ada, bea), (bea, ada), (bea, cid), (cid, bea), (dan, ada)] {
                    #expect(await viewer.sees(user))
                }
                for (viewer, user) in [(dan, bea), (bea, dan)] { #expect(await !viewer.sees(user)) }
                #expect(await bea.refusal(.blockUser(.of(cid.id))) == nil)
                #expect(await !cid.sees(bea))
                #expect(await bea.sees(cid))
            }
        }
    }

    @Test(.proves("2.16", "getStatistics")) func `a result updates statistics`() async throws {
        try await ServerWorld.with(
            rate: 60,
            configure: { $0.window = WindowSpans(before: .minutes(1), after: .minutes(1), settle: .seconds(1)) },
            { world in
                try await world.with("Ada", "Bea") { people async throws in
                    let promise = try await people[0].promise(with: [people[1]], at: world.now + .minutes(3))
                    _ = try await people[0].client.subscribe(promiseID: promise.promiseID)
                    await people[0].wait { $0.contains { $0.what?.isResultFinal == true } }
                    let mine = try await people[0].client.call(.getStatistics(.of(people[1].id))).expect(\.statistics)
                    #expect(mine.counted == 1 && mine.late == 1 && mine.noShow == 1 && mine.bestRank == 0)
                    #expect(mine.hasPunctualityPercent && mine.punctualityPercent == 0 && mine.tier == "inner-core")
                    let profile = try await people[0].client.call(.getProfile(.of(people[1].id))).expect(\.profile)
                    #expect(profile.statistics == mine && profile.user.nickname == "Bea")
                    #expect(try await people[1].me().statistics == mine)
                }
            }
        )
    }
}

extension Person {
    /// The error in reply to a request; nil if it is accepted.
    func error(_ request: WireRequest) async -> WireErrorReply? {
        do throws(ClientError) {
            _ = try await client.call(request)
            return nil
        } catch {
            guard case .refused(let reply) = error else { return nil }
            DocumentedRefusals.expect(reply.code, of: request)
            return reply
        }
    }

    /// `true` if this user sees the profile and the statistics of another; both or neither.
    fileprivate func sees(_ other: Person) async -> Bool {
        let profile = await refusal(.getProfile(.of(other.id)))
        let statistics = await refusal(.getStatistics(.of(other.id)))
        #expect(profile == statistics)
        #expect(profile == nil || profile == .userNotFound)
        return profile == nil
    }
}
