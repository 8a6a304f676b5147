import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@Suite("Blocking over a connection", .timeLimit(.minutes(2)))
struct BlockConversationTests {
    private static let nobody = "01940000-0000-7000-8000-000000000001"

    @Test(.proves("3.5", "blockUser", "unblockUser", "friendRemoved"), arguments: WireCodec.allCases)
    func `a block ends a friendship for both, and its removal restores nothing`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { people async throws in
                let (ada, bea) = (people[0], people[1])
                try await ada.befriend(bea)
                #expect(try await ada.state(.blockUser(.of(bea.id))) == .blocked)
                await ada.hears { $0.isFriendRemoved }
                await bea.hears { $0.isFriendRemoved }
                #expect(try await ada.state(.blockUser(.of(bea.id))) == .blocked)
                #expect(try await ada.state(.unblockUser(.of(bea.id))) == WireFriendshipState.Value.none)
                #expect(try await ada.state(.unblockUser(.of(bea.id))) == WireFriendshipState.Value.none)
                #expect(await ada.refusal(.removeFriend(.of(bea.id))) == .userNotFound)
                // Each once, although requested twice.
                #expect(try await ada.me().email == ada.email)
                #expect(try await bea.me().email == bea.email)
                for person in people {
                    #expect(person.received.filter { $0.what?.isFriendRemoved == true }.count == 1)
                }
                #expect(try await bea.state(.requestFriend(.to(ada.id))) == .requestedByMe)
            }
        }
    }

    @Test(.proves("3.5", "10.5")) func `the blocking user does not exist for the blocked one`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { people async throws in
                let (ada, bea) = (people[0], people[1])
                _ = try await bea.client.requestFriend(userID: ada.id)
                #expect(try await ada.state(.blockUser(.of(bea.id))) == .blocked)
                let toBlocked: [WireRequest] = [
                    .requestFriend(.to(ada.id)), .requestFriend(.named("Ada")), .findUser(.named("Ada")),
                    .getProfile(.of(ada.id)), .getStatistics(.of(ada.id)), .acceptFriend(.of(ada.id)),
                    .rejectFriend(.of(ada.id)), .cancelFriendRequest(.to(ada.id)), .removeFriend(.of(ada.id)),
                    .blockUser(.of(ada.id)), .unblockUser(.of(ada.id)),
                ]
                let toNobody: [WireRequest] = [
                    .requestFriend(.to(Self.nobody)), .requestFriend(.named("nobody")), .findUser(.named("nobody")),
                    .getProfile(.of(Self.nobody)), .getStatistics(.of(Self.nobody)), .acceptFriend(.of(Self.nobody)),
                    .rejectFriend(.of(Self.nobody)), .cancelFriendRequest(.to(Self.nobody)),
                    .removeFriend(.of(Self.nobody)), .blockUser(.of(Self.nobody)), .unblockUser(.of(Self.nobody)),
                ]
                for (blocked, unknown) in zip(toBlocked, toNobody) {
                    let error = try #require(await bea.error(blocked))
                    #expect(error.code == ErrorCode.userNotFound.rawValue)
                    #expect(await bea.error(unknown) == error)
                }
                // The request was deleted on both sides, without a notification.
                let mine = try await bea.client.call(.listFriendRequests(.init())).expect(\.friendRequests)
                #expect(mine.outgoing.isEmpty && mine.incoming.isEmpty)
                #expect(bea.received.isEmpty)
                // Blocking back looks the same, but is effective: it remains when the other block ends, which has the
                // same reply, because now Ada is the blocked one.
                #expect(await bea.refusal(.blockUser(.of(ada.id))) == .userNotFound)
                #expect(await ada.refusal(.unblockUser(.of(bea.id))) == .userNotFound)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .userNotFound)
                #expect(await bea.refusal(.requestFriend(.to(ada.id))) == .friendBlocked)
                #expect(await people[2].refusal(.findUser(.named("Ada"))) == nil)
            }
        }
    }

    @Test(.proves("3.3", "friend.blocked")) func `rejects in the documented order`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                #expect(await ada.refusal(.requestFriend(.to(Self.nobody))) == .userNotFound)
                for request in [
                    .requestFriend(.to(ada.id)), .requestFriend(.named("aDA")), .acceptFriend(.of(ada.id)),
                    .cancelFriendRequest(.to(ada.id)), .blockUser(.of(ada.id)), .unblockUser(.of(ada.id)),
                ] as [WireRequest] {
                    #expect(await ada.refusal(request) == .friendSelf)
                }
                #expect(try await ada.state(.requestFriend(.to(bea.id))) == .requestedByMe)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .friendAlreadyRequested)
                #expect(try await bea.state(.acceptFriend(.of(ada.id))) == .friends)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .friendAlready)
                #expect(try await ada.state(.blockUser(.of(bea.id))) == .blocked)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .friendBlocked)
                #expect(await bea.refusal(.blockUser(.of(ada.id))) == .userNotFound)
                // With both blocking, the unknown user takes precedence.
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .userNotFound)
                for request in [
                    .blockUser(.of(Self.nobody)), .unblockUser(.of(Self.nobody)),
                    .cancelFriendRequest(.to(Self.nobody)),
                ] as [WireRequest] {
                    #expect(await ada.refusal(request) == .userNotFound)
                }
                #expect(await ada.refusal(.blockUser(.of("x"))) == .requestInvalid)
            }
        }
    }

    @Test(.proves("3.4", "cancelFriendRequest"))
    func `withdraws a request silently, and accepts it again`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                #expect(await ada.refusal(.cancelFriendRequest(.to(bea.id))) == .friendNoRequest)
                #expect(try await ada.state(.requestFriend(.to(bea.id))) == .requestedByMe)
                await bea.hears { $0.isFriendRequested }
                #expect(await bea.refusal(.cancelFriendRequest(.to(ada.id))) == .friendNoRequest)
                #expect(try await ada.state(.cancelFriendRequest(.to(bea.id))) == WireFriendshipState.Value.none)
                #expect(await bea.refusal(.acceptFriend(.of(ada.id))) == .friendNoRequest)
                #expect(try await ada.state(.requestFriend(.to(bea.id))) == .requestedByMe)
                #expect(try await bea.state(.acceptFriend(.of(ada.id))) == .friends)
                #expect(await ada.refusal(.cancelFriendRequest(.to(bea.id))) == .friendAlready)
            }
        }
    }

    @Test(.proves("3.3")) func `crossing requests make a friendship`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await withThrowingTaskGroup { group in
                    for (one, other) in [(people[0], people[1]), (people[1], people[0])] {
                        group.addTask { _ = try await one.client.requestFriend(userID: other.id) }
                    }
                    try await group.waitForAll()
                }
                for (one, other) in [(people[0], people[1]), (people[1], people[0])] {
                    #expect(await one.refusal(.requestFriend(.to(other.id))) == .friendAlready)
                    await one.hears { $0.isFriendAdded }
                }
            }
        }
    }
}

extension Person {
    /// The state after a request about a friendship.
    fileprivate func state(_ request: WireRequest) async throws -> WireFriendshipState.Value {
        guard case .friendship(let friendship) = try await client.call(request) else { throw Device.NoReply() }
        return friendship.state
    }
}
