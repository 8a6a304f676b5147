import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite("Refusals of the server", .timeLimit(.minutes(2)))
struct RefusalTests {
    private static let meetsAt = ServerWorld.start + .hours(2)

    @Test(
        .proves("3.2", "3.3", "3.4", "3.8", "10.5", "listFriends", "requestFriend", "acceptFriend", "removeFriend"),
        .proves("friendAdded", "user.not-found", "friend.self", "friend.already", "friend.already-requested"),
        .proves("friend.no-request", "promise.not-friend"),
        arguments: WireCodec.allCases
    )
    func `makes, rejects and ends friendships`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                #expect(await ada.refusal(.requestFriend(.to(ada.id))) == .friendSelf)
                #expect(await ada.refusal(.requestFriend(.to(PromiseID(high: 1, low: 2).description))) == .userNotFound)
                #expect(await ada.refusal(.requestFriend(.named("nobody"))) == .userNotFound)
                #expect(await bea.refusal(.acceptFriend(.of(ada.id))) == .friendNoRequest)
                let asked = try await ada.client.call(.requestFriend(.named("bEA")))
                let friendship = try asked.expect(\.friendship)
                #expect(friendship.state == .requestedByMe)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .friendAlreadyRequested)
                // A crossing request is an acceptance.
                #expect(try await bea.client.requestFriend(userID: ada.id).state == .friends)
                #expect(await ada.refusal(.requestFriend(.to(bea.id))) == .friendAlready)
                await ada.wait { $0.contains { $0.what?.isFriendAdded == true } }
                let friends = try await ada.client.call(.listFriends(WireListFriends())).expect(\.friends)
                #expect(friends.users.map(\.nickname) == ["Bea"])
                #expect(await ada.refusal(.removeFriend(.of(bea.id))) == nil)
                #expect(
                    await ada.refusal(.createPromise(.sample(meetsAt: Self.meetsAt, invitees: [bea])))
                        == .promiseNotFriend
                )
            }
        }
    }

    @Test(.proves("4.1", "4.2", "createPromise", "promise.too-soon", "promise.too-far", "request.invalid"))
    func `checks every field of a promise`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                func refusal(_ change: (inout WireCreatePromise) -> Void) async -> ErrorCode? {
                    var request = WireCreatePromise.sample(meetsAt: Self.meetsAt)
                    change(&request)
                    return await ada.refusal(.createPromise(request))
                }
                #expect(await refusal { $0.title = "" } == .requestInvalid)
                #expect(await refusal { $0.title = String(repeating: "é", count: 60) } == nil)
                #expect(await refusal { $0.title = String(repeating: "é", count: 61) } == .requestInvalid)
                #expect(await refusal { $0.radiusMetres = 19 } == .requestInvalid)
                #expect(await refusal { $0.radiusMetres = 20 } == nil)
                #expect(await refusal { $0.radiusMetres = 500 } == nil)
                #expect(await refusal { $0.radiusMetres = 501 } == .requestInvalid)
                #expect(await refusal { $0.place.latitude = 91 } == .requestInvalid)
                #expect(await refusal { $0.place.name = "\u{7}" } == .requestInvalid)
                #expect(await refusal { $0.clearPlace() } == .requestInvalid)
                #expect(await refusal { $0.clearMeetsAt() } == .requestInvalid)
                #expect(await refusal { $0.key = "" } == .requestInvalid)
                #expect(await refusal { $0.penalty.amount = -1 } == .requestInvalid)
                #expect(await refusal { $0.inviteeIds = ["nobody"] } == .requestInvalid)
                #expect(await refusal { $0.meetsAt = WireTimestamp(world.now + .minutes(29)) } == .promiseTooSoon)
                #expect(await refusal { $0.meetsAt = WireTimestamp(world.now + .days(367)) } == .promiseTooFar)
            }
        }
    }

    @Test func `rejects a meeting too early or too far ahead with the limits`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                func message(_ ahead: TimeSpan) async throws -> String {
                    let request = WireCreatePromise.sample(meetsAt: world.now + ahead)
                    return try await refusedMessage(.createPromise(request), of: ada)
                }
                let soon = "The meeting time is too soon: it must be at least 30 minutes ahead."
                let far = "The meeting time is too far ahead: it must be at most 366 days ahead."
                #expect(try await message(.minutes(29)) == soon)
                #expect(try await message(.days(367)) == far)
                let promise = try await ada.promise(with: [], at: Self.meetsAt)
                var edit = WireUpdatePromise()
                edit.promiseID = promise.promiseID
                edit.version = promise.version
                edit.meetsAt = WireTimestamp(world.now + .minutes(29))
                #expect(try await refusedMessage(.updatePromise(edit), of: ada) == soon)
                edit.meetsAt = WireTimestamp(world.now + .days(367))
                #expect(try await refusedMessage(.updatePromise(edit), of: ada) == far)
                let get = WireGetPromise.with { $0.promiseID = "nope" }
                #expect(
                    try await refusedMessage(.getPromise(get), of: ada).hasPrefix("An id is a UUID such as 0193a1b2-")
                )
            }
        }
    }

    /// The message of a request's refusal; empty if it is accepted.
    private func refusedMessage(_ request: WireRequest, of person: Person) async throws -> String {
        do {
            _ = try await person.reply(request)
            return ""
        } catch ClientError.refused(let reply) {
            return reply.message
        }
    }

    @Test(.proves("4.6", "createPromise", "promise.key-reused"))
    func `a key creates one promise, only with the same content`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let request = WireCreatePromise.sample(key: "k", meetsAt: Self.meetsAt)
                let first = try await people[0].client.createPromise(request).promise
                let second = try await people[0].client.createPromise(request).promise
                #expect(first.promiseID == second.promiseID)
                var other = request
                other.title = "Supper"
                #expect(await people[0].refusal(.createPromise(other)) == .promiseKeyReused)
            }
        }
    }

    @Test(.proves("4.6"))
    func `treats invitees in another order or repeated as the same content`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid in
                for friend in [bea, cid] { try await ada.befriend(friend) }
                let first = WireCreatePromise.sample(key: "k", meetsAt: Self.meetsAt, invitees: [bea, cid])
                let id = try await ada.client.createPromise(first).promise.promiseID
                for invitees in [[cid, bea], [cid, bea, cid], [bea, bea, cid]] {
                    let again = WireCreatePromise.sample(key: "k", meetsAt: Self.meetsAt, invitees: invitees)
                    #expect(try await ada.client.createPromise(again).promise.promiseID == id)
                }
                let fewer = WireCreatePromise.sample(key: "k", meetsAt: Self.meetsAt, invitees: [cid])
                #expect(await ada.refusal(.createPromise(fewer)) == .promiseKeyReused)
            }
        }
    }

    @Test(
        .proves("4.13", "5.1", "10.5", "subscribe", "cancelPromise", "leavePromise", "respond", "getPromise"),
        .proves("getResult", "invited", "auth.forbidden", "promise.not-found", "promise.not-owner"),
        .proves("promise.not-accepted", "promise.closed", "position.not-accepted", "result.not-final"),
        arguments: WireCodec.allCases
    )
    func `hides a promise from unrelated users as not-found`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Eve") { ada, bea, eve in
                try await ada.befriend(bea)
                let id = try await ada.client.createPromise(.sample(meetsAt: Self.meetsAt, invitees: [bea]))
                    .promise.promiseID
                await bea.wait { $0.contains { $0.what?.isInvited == true } }
                let unknown = PromiseID(high: 7, low: 9).description
                for promiseID in [id, unknown] {
                    #expect(await eve.refusal(.getPromise(.of(promiseID))) == .promiseNotFound)
                    #expect(await eve.refusal(.subscribe(.to(promiseID))) == .promiseNotFound)
                    #expect(await eve.refusal(.respond(.to(promiseID, accept: true))) == .promiseNotFound)
                    #expect(await eve.refusal(.leavePromise(.of(promiseID))) == .promiseNotFound)
                    #expect(await eve.refusal(.cancelPromise(.of(promiseID))) == .promiseNotFound)
                    #expect(await eve.refusal(.getResult(.of(promiseID))) == .promiseNotFound)
                    #expect(await eve.refusal(.report(.one(promiseID))) == .promiseNotFound)
                }
                #expect(await bea.refusal(.subscribe(.to(id))) == .promiseNotAccepted)
                #expect(await bea.refusal(.report(.one(id))) == .positionNotAccepted)
                #expect(await bea.refusal(.getPromise(.of(id))) == nil)
                #expect(await bea.refusal(.cancelPromise(.of(id))) == .promiseNotOwner)
                for invitees in [[], [eve.id]] {
                    let edit = WireUpdatePromise.with {
                        $0.promiseID = id
                        $0.invite = invitees
                    }
                    #expect(await bea.refusal(.updatePromise(edit)) == .promiseNotOwner)
                    #expect(await eve.refusal(.updatePromise(edit)) == .promiseNotFound)
                }
                #expect(await ada.refusal(.leavePromise(.of(id))) == .authForbidden)
                #expect(await bea.refusal(.respond(.to(id, accept: false))) == nil)
                #expect(await bea.refusal(.getPromise(.of(id))) == .promiseNotFound)
                #expect(await ada.refusal(.getResult(.of(id))) == .resultNotFinal)
                #expect(await ada.refusal(.cancelPromise(.of(id))) == nil)
                #expect(await ada.refusal(.cancelPromise(.of(id))) == .promiseClosed)
            }
        }
    }

    @Test(.proves("4.17", "listPromises")) func `lists show only the caller's data, in pages`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people in
                try await people[0].befriend(people[1])
                for hour in 1...5 {
                    let at = ServerWorld.start + .hours(Int64(hour + 1))
                    let request = WireCreatePromise.sample(title: "\(hour)", meetsAt: at, invitees: [people[1]])
                    _ = try await people[0].client.createPromise(request)
                }
                var titles: [String] = []
                var list = WireListPromises()
                list.list = .upcoming
                list.limit = 2
                repeat {
                    guard case .promises(let page) = try await people[0].client.call(.listPromises(list)) else { break }
                    #expect(page.promises.allSatisfy { $0.participants.count == 1 && $0.participantCount == 2 })
                    titles += page.promises.map(\.title)
                    list.cursor = page.cursor
                } while !list.cursor.isEmpty
                #expect(titles == ["1", "2", "3", "4", "5"])
                var invited = WireListPromises()
                invited.list = .invited
                guard case .promises(let mine) = try await people[1].client.call(.listPromises(invited)) else { return }
                #expect(mine.promises.count == 5)
                list.cursor = "rubbish"
                #expect(await people[0].refusal(.listPromises(list)) == .requestInvalid)
            }
        }
    }

    @Test func `rejects administrators' requests from users`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                #expect(await people[0].refusal(.admin(WireAdminRequest())) == .authForbidden)
            }
        }
    }
}

extension WireRequestFriend {
    static func to(_ userID: String) -> WireRequestFriend {
        WireRequestFriend.with { $0.userID = userID }
    }

    static func named(_ nickname: String) -> WireRequestFriend {
        WireRequestFriend.with { $0.nickname = nickname }
    }
}

extension WireAcceptFriend {
    static func of(_ userID: String) -> WireAcceptFriend {
        WireAcceptFriend.with { $0.userID = userID }
    }
}

extension WireRemoveFriend {
    static func of(_ userID: String) -> WireRemoveFriend {
        WireRemoveFriend.with { $0.userID = userID }
    }
}

extension WireGetPromise {
    static func of(_ promiseID: String) -> WireGetPromise {
        WireGetPromise.with { $0.promiseID = promiseID }
    }
}

extension WireGetResult {
    static func of(_ promiseID: String) -> WireGetResult {
        WireGetResult.with { $0.promiseID = promiseID }
    }
}

extension WireLeavePromise {
    static func of(_ promiseID: String) -> WireLeavePromise {
        WireLeavePromise.with { $0.promiseID = promiseID }
    }
}

extension WireCancelPromise {
    static func of(_ promiseID: String) -> WireCancelPromise {
        WireCancelPromise.with { $0.promiseID = promiseID }
    }
}

extension WireSubscribe {
    static func to(_ promiseID: String) -> WireSubscribe {
        WireSubscribe.with { $0.promiseID = promiseID }
    }
}

extension WireRespond {
    static func to(_ promiseID: String, accept: Bool) -> WireRespond {
        WireRespond.with {
            $0.promiseID = promiseID
            $0.accept = accept
        }
    }
}
