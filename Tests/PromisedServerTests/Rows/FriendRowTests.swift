import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedStore
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// Requests for friendship as seen by both sides, and their limits (domain §3).
@Suite("Friend requests over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct FriendRowTests {
    @Test(.proves("3.4", "listFriendRequests", "friendRequested", "friendAdded"), arguments: WireCodec.allCases)
    func `lists requests on both sides, newest first, until they are answered`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cid", "Dan") { ada, bea, cid, dan async throws in
                _ = try await bea.client.requestFriend(userID: ada.id)
                // Two of the same millisecond have no order.
                try await world.service.clock.sleep(until: world.now + .milliseconds(1))
                _ = try await cid.client.requestFriend(nickname: "ada")
                _ = try await ada.client.requestFriend(userID: dan.id)
                await ada.wait { $0.filter { $0.what?.isFriendRequested == true }.count == 2 }
                let requests = ada.received.filter { $0.what?.isFriendRequested == true }
                #expect(requests.map(\.friendRequested.user.nickname) == ["Bea", "Cid"])
                #expect(requests.allSatisfy { $0.promiseID.isEmpty && $0.seq == 0 && $0.hasAt })
                let mine = try await ada.client.listFriendRequests()
                #expect(mine.incoming.map(\.nickname) == ["Cid", "Bea"])
                #expect(mine.outgoing.map(\.nickname) == ["Dan"])
                #expect(try await dan.client.listFriendRequests().incoming.map(\.nickname) == ["Ada"])
                #expect(try await ada.client.hello().unread.friendRequests == 2)
                #expect(try await ada.client.rejectFriend(userID: cid.id).state == WireFriendshipState.Value.none)
                #expect(try await ada.client.acceptFriend(userID: bea.id).state == .friends)
                await bea.hears { $0.isFriendAdded }
                #expect(try await ada.client.listFriendRequests().incoming == [])
                // The server does not notify Cid of the rejection.
                #expect(try await cid.client.listFriendRequests().outgoing.map(\.nickname) == ["Ada"])
                #expect(try await ada.client.hello().unread.friendRequests == 0)
            }
        }
    }

    @Test(.proves("3.4", "rejectFriend"))
    func `a rejection is silent, and the same user can repeat the request a day later`() async throws {
        // A day is less than a second on this clock.
        try await ServerWorld.with(rate: 100_000) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                #expect(await ada.refusal(.rejectFriend(.of(bea.id))) == .friendNoRequest)
                _ = try await bea.client.requestFriend(userID: ada.id)
                #expect(await bea.refusal(.rejectFriend(.of(ada.id))) == .friendNoRequest)
                _ = try await ada.client.rejectFriend(userID: bea.id)
                let rejectedBefore = world.now
                #expect(await ada.refusal(.rejectFriend(.of(bea.id))) == .friendNoRequest)
                try await world.service.clock.sleep(until: rejectedBefore + Friendship.askAgainAfter)
                #expect(try await bea.client.requestFriend(userID: ada.id).state == .requestedByMe)
                await ada.wait { $0.filter { $0.what?.isFriendRequested == true }.count == 2 }
                // The server never sent the outcome of the first request.
                #expect(bea.received.isEmpty)
            }
        }
    }

    @Test(.proves("3.4"), arguments: WireCodec.allCases)
    func `a rejected request looks like a pending one`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid async throws in
                for asker in [bea, cid] { _ = try await asker.client.requestFriend(userID: ada.id) }
                _ = try await ada.client.rejectFriend(userID: bea.id)
                // One is rejected, the other is pending: each step has the same reply.
                let steps: [WireRequest] = [
                    .listFriendRequests(.init()), .requestFriend(.to(ada.id)), .acceptFriend(.of(ada.id)),
                    .cancelFriendRequest(.to(ada.id)), .listFriendRequests(.init()),
                    .cancelFriendRequest(.to(ada.id)), .requestFriend(.to(ada.id)), .listFriendRequests(.init()),
                    .removeFriend(.of(ada.id)), .getProfile(.of(ada.id)), .findUser(.named("Ada")),
                ]
                for step in steps {
                    let (rejected, waiting) = (await bea.answer(step), await cid.answer(step))
                    #expect(rejected == waiting, "\(step)")
                }
                #expect(try await ada.client.listFriendRequests().incoming.map(\.nickname) == ["Cid"])
                // Either may send a request at any time.
                #expect(try await ada.client.requestFriend(userID: bea.id).state == .requestedByMe)
                #expect(try await bea.client.acceptFriend(userID: ada.id).state == .friends)
            }
        }
    }

    @Test(.proves("3.4"))
    func `within a day of a rejection the answer equals that to a pending request`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid async throws in
                _ = try await bea.client.requestFriend(userID: ada.id)
                _ = try await cid.client.requestFriend(userID: ada.id)
                _ = try await ada.client.rejectFriend(userID: bea.id)
                let rejected = await bea.refusal(.requestFriend(.to(ada.id)))
                #expect(rejected == .friendAlreadyRequested)
                #expect(await cid.refusal(.requestFriend(.to(ada.id))) == rejected)
                // The user who rejected may send a request at once.
                #expect(try await ada.client.requestFriend(userID: bea.id).state == .requestedByMe)
            }
        }
    }

    // MARK: - Limits

    @Test(.proves("3.6", "friend.limit")) func `accepts a thousand friends, from either side`() async throws {
        try await ServerWorld.seeded(
            ["Ada", "Bea", "Cid", "Dan"],
            seed: { store, users in
                let strangers = try await store.fill(998)
                try await store.connect(users[0], to: strangers, asFriends: true)
                try await store.connect(users[2], to: [users[0]], asFriends: false)
                try await store.connect(users[1], to: [users[0]], asFriends: false)
                try await store.connect(users[3], to: [users[0]], asFriends: false)
            },
            body: { world, devices in
                let (ada, bea) = (devices[0], devices[1])
                let (beaID, cidID, danID) = (try await bea.id(), try await devices[2].id(), try await devices[3].id())
                #expect(try await ada.refusal(.acceptFriend(.of(beaID))) == nil)
                #expect(try await ada.refusal(.acceptFriend(.of(cidID))) == nil)
                #expect(try await ada.refusal(.acceptFriend(.of(danID))) == .friendLimit)
                #expect(try await ada.refusal(.requestFriend(.to(danID))) == .friendLimit)
                // One friend less makes room.
                #expect(try await ada.refusal(.removeFriend(.of(beaID))) == nil)
                #expect(try await ada.refusal(.acceptFriend(.of(danID))) == nil)
                #expect(try await bea.refusal(.requestFriend(.to(try await ada.id()))) == nil)
                #expect(try await ada.refusal(.acceptFriend(.of(beaID))) == .friendLimit)
            }
        )
    }

    @Test(.proves("3.6", "friend.limit")) func `accepts two hundred open requests`() async throws {
        try await ServerWorld.seeded(
            ["Ada", "Bea", "Cid", "Dan"],
            seed: { store, users in
                try await store.connect(users[0], to: try await store.fill(198), asFriends: false)
            },
            body: { world, devices in
                let ada = devices[0]
                let (bea, cid, dan) = (try await devices[1].id(), try await devices[2].id(), try await devices[3].id())
                #expect(try await ada.refusal(.requestFriend(.to(bea))) == nil)
                #expect(try await ada.refusal(.requestFriend(.to(cid))) == nil)
                #expect(try await ada.refusal(.requestFriend(.to(dan))) == .friendLimit)
                #expect(try await ada.refusal(.cancelFriendRequest(.to(bea))) == nil)
                #expect(try await ada.refusal(.requestFriend(.to(dan))) == nil)
            }
        )
    }

    @Test(.proves("listFriends")) func `lists friends in pages of at most 50, each once`() async throws {
        try await ServerWorld.seeded(
            ["Ada"],
            seed: { store, users in
                try await store.connect(users[0], to: try await store.fill(51), asFriends: true)
            },
            body: { world, devices in
                for (limit, sizes) in [(nil, [50, 1]), (49, [49, 2]), (50, [50, 1]), (51, [50, 1])] as [(Int32?, [Int])]
                {
                    let pages = try await devices[0].friendPages(limit: limit)
                    #expect(pages.map(\.count) == sizes)
                    #expect(Set(pages.joined()).count == 51)
                }
                for limit in [0, -1] as [Int32] {
                    let request = WireListFriends.with { $0.limit = limit }
                    #expect(try await devices[0].refusal(.listFriends(request)) == .requestInvalid)
                }
            }
        )
    }
}

extension Device {
    /// The id of the signed-in user.
    func id() async throws -> String {
        guard case .me(let me) = try await call(.getMe(WireGetMe())) else { throw NoReply() }
        return me.user.userID
    }

    /// The nicknames of all friends, page by page.
    fileprivate func friendPages(limit: Int32?) async throws -> [[String]] {
        var pages: [[String]] = []
        var request = WireListFriends()
        if let limit { request.limit = limit }
        repeat {
            guard case .friends(let page) = try await call(.listFriends(request)) else { throw NoReply() }
            pages.append(page.users.map(\.nickname))
            request.cursor = page.cursor
        } while !request.cursor.isEmpty
        return pages
    }
}

extension Person {
    /// The reply to a request; an error counts as one.
    fileprivate func answer(_ request: WireRequest) async -> WireContent? {
        do throws(ClientError) {
            return try await client.call(request)
        } catch {
            if case .refused(let reply) = error { return .error(reply) }
            return nil
        }
    }
}
