import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("Administration of friendships", .timeLimit(.minutes(2)))
struct AdminFriendConversationTests {
    /// The relation of the two before the administrator acts.
    enum Before: CaseIterable {
        case nothing
        case request
        case requestBack
        case rejection
    }

    @Test(.proves("admin"), arguments: Before.allCases)
    func `befriends two users at once with any open requests, and notifies them`(before: Before) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    switch before {
                    case .nothing: break
                    case .request: _ = try await ada.client.requestFriend(userID: bea.id)
                    case .requestBack: _ = try await bea.client.requestFriend(userID: ada.id)
                    case .rejection:
                        _ = try await ada.client.requestFriend(userID: bea.id)
                        #expect(await bea.refusal(.rejectFriend(.with { $0.userID = ada.id })) == nil)
                    }
                    #expect(try await admin.adminRefusal(.addFriends(.of(ada.id, bea.id))) == nil)
                    await ada.hears {
                        if case .friendAdded(let added) = $0 { added.user.userID == bea.id } else { false }
                    }
                    await bea.hears {
                        if case .friendAdded(let added) = $0 { added.user.userID == ada.id } else { false }
                    }
                    let list = try await admin.admin(.listFriends(.of(ada.id))).expect(\.friends)
                    #expect(list.users.map(\.userID) == [bea.id])
                    let open = try await admin.admin(.listFriendRequests(.of(ada.id))).expect(\.friendRequests)
                    #expect(open.incoming.isEmpty && open.outgoing.isEmpty)
                    let entry = try await admin.audit()[0]
                    #expect(entry.action == "addFriends" && entry.subject == ada.id && entry.detail == bea.id)
                    #expect(
                        try await admin.adminRefusal(.addFriends(.of(bea.id, ada.id))) == AdminRefusal(.friendAlready)
                    )
                    #expect(try await admin.audit()[0] == entry)
                }
            }
        }
    }

    @Test func `ends a friendship and notifies both`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    try await ada.befriend(bea)
                    #expect(try await admin.adminRefusal(.removeFriends(.of(ada.id, bea.id))) == nil)
                    await ada.hears { $0 == .friendRemoved(.with { $0.userID = bea.id }) }
                    await bea.hears { $0 == .friendRemoved(.with { $0.userID = ada.id }) }
                    #expect(
                        try await admin.adminRefusal(.removeFriends(.of(ada.id, bea.id)))?.code
                            == ErrorCode.userNotFound.rawValue
                    )
                    #expect(try await admin.audit().prefix(1).map(\.action) == ["removeFriends"])
                }
            }
        }
    }

    @Test func `a block prevents a friendship until it is removed`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    try await ada.befriend(bea)
                    #expect(try await admin.adminRefusal(.blockUser(.of(ada.id, bea.id))) == nil)
                    await bea.hears { $0 == .friendRemoved(.with { $0.userID = ada.id }) }
                    for pair in [(ada, bea), (bea, ada)] {
                        #expect(
                            try await admin.adminRefusal(.addFriends(.of(pair.0.id, pair.1.id)))
                                == AdminRefusal(.friendBlocked)
                        )
                    }
                    #expect(await bea.refusal(.requestFriend(.to(ada.id))) == .userNotFound)
                    #expect(try await admin.adminRefusal(.unblockUser(.of(ada.id, bea.id))) == nil)
                    #expect(try await admin.adminRefusal(.addFriends(.of(ada.id, bea.id))) == nil)
                    #expect(
                        try await admin.audit().prefix(3).map(\.action) == ["addFriends", "unblockUser", "blockUser"]
                    )
                }
            }
        }
    }

    @Test func `lists open requests in both directions`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cleo") { people async throws in
                try await world.administered { admin, _ async throws in
                    _ = try await people[0].client.requestFriend(userID: people[1].id)
                    _ = try await people[2].client.requestFriend(userID: people[0].id)
                    var list = WireAdminListFriendRequests.of(people[0].id)
                    let open = try await admin.admin(.listFriendRequests(list)).expect(\.friendRequests)
                    #expect(open.incoming.map(\.nickname) == ["Cleo"] && open.outgoing.map(\.nickname) == ["Bea"])
                    #expect(open.cursor.isEmpty)
                    list.cursor = "more"
                    #expect(
                        try await admin.adminRefusal(.listFriendRequests(list))
                            == AdminRefusal(.requestInvalid, "cursor")
                    )
                }
            }
        }
    }

    @Test func `rejects friendships of a user with themself and with unknown users`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, _ async throws in
                    let ada = people[0].id
                    let nobody = "0192f0a0-0000-7000-8000-000000000000"
                    for pair in [(ada, ada), (ada, nobody), (nobody, ada), (ada, "x"), ("x", ada)] {
                        let forms: [WireAdminRequest.OneOf_Request] = [
                            .addFriends(.of(pair.0, pair.1)), .removeFriends(.of(pair.0, pair.1)),
                            .blockUser(.of(pair.0, pair.1)), .unblockUser(.of(pair.0, pair.1)),
                        ]
                        for form in forms {
                            let code =
                                pair.0 == pair.1
                                ? "friend.self"
                                : pair.0 == "x" || pair.1 == "x"
                                    ? "request.invalid" : "user.not-found"
                            #expect(try await admin.adminRefusal(form)?.code == code)
                        }
                    }
                    for form in [.listFriends(.of(nobody)), .listFriendRequests(.of(nobody))]
                        as [WireAdminRequest.OneOf_Request]
                    {
                        #expect(try await admin.adminRefusal(form)?.code == "user.not-found")
                    }
                    #expect(try await admin.audit().map(\.action) == ["createToken"])
                }
            }
        }
    }
}
