import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedServer

@Suite("Administration of accounts", .timeLimit(.minutes(2)))
struct AdminUserConversationTests {
    @Test(arguments: WireCodec.allCases)
    func `finds an account with its data by id, nickname and address in any case`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea", "Cleo") { people async throws in
                try await world.administered { admin, _ async throws in
                    let (ada, bea) = (people[0], people[1])
                    try await ada.befriend(bea)
                    _ = try await ada.promise(with: [people[2]], at: world.now + .hours(2))
                    for name in [ada.id, ada.id.uppercased(), "ADA", " ada ", "ADA@example.ORG"] {
                        let users = try await admin.users(.findUsers(.named(name)))
                        #expect(users.map(\.user.userID) == [ada.id])
                    }
                    let found = try await admin.users(.findUsers(.named("ada")))[0]
                    #expect(found.email == "Ada@example.org" && found.friends == 2 && found.promises == 1)
                    #expect(found.connections == 1 && found.hasCreatedAt && !found.hasDisabledAt)
                    #expect(!found.hasStatistics && found.locale == "en" && found.issuer.isEmpty)
                    let shown = try await admin.user(.showUser(.of(ada.id)))
                    #expect(shown.statistics.tier == "newcomer" && shown.user == found.user)
                }
            }
        }
    }

    @Test(arguments: [
        ("ad", ["Ada", "Adele"]), ("adda", ["Ada"]),
        ("example", ["Ada@example.org", "Bea@example.org", "Adele@example.org"]),
        ("zzzzz", []),
    ])
    func `suggests similar names for an unknown one`(name: String, names: [String]) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Adele", "Bea") { _ async throws in
                try await world.administered { admin, _ async throws in
                    let users = try await admin.admin(.findUsers(.named(name))).expect(\.users)
                    #expect(users.users.isEmpty)
                    #expect(users.suggestions.sorted() == names.sorted())
                }
            }
        }
    }

    @Test func `lists accounts by nickname in pages, with a filter`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Cleo", "Ada", "Bea") { people async throws in
                try await world.administered { admin, _ async throws in
                    var list = WireAdminListUsers()
                    #expect(try await admin.users(.listUsers(list)).map(\.user.nickname) == ["Ada", "Bea", "Cleo"])
                    list.limit = 2
                    let first = try await admin.admin(.listUsers(list)).expect(\.users)
                    #expect(first.users.map(\.user.nickname) == ["Ada", "Bea"] && !first.cursor.isEmpty)
                    list.cursor = first.cursor
                    #expect(try await admin.users(.listUsers(list)).map(\.user.nickname) == ["Cleo"])
                    list = WireAdminListUsers()
                    list.text = "LEO@"
                    #expect(try await admin.users(.listUsers(list)).map(\.user.nickname) == ["Cleo"])
                    list = WireAdminListUsers()
                    list.disabled = true
                    #expect(try await admin.users(.listUsers(list)) == [])
                    _ = try await admin.user(.disableUser(.of(people[0].id)))
                    #expect(try await admin.users(.listUsers(list)).map(\.user.nickname) == ["Cleo"])
                    list.limit = 0
                    #expect(try await admin.adminRefusal(.listUsers(list)) == AdminRefusal(.requestInvalid, "limit"))
                    list.limit = 1
                    list.cursor = "rubbish"
                    #expect(try await admin.adminRefusal(.listUsers(list)) == AdminRefusal(.requestInvalid, "cursor"))
                }
            }
        }
    }

    @Test func `creates an account like a sign-up, or only validates it`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, connect async throws in
                var create = WireAdminCreateUser.sample("Dora")
                create.checkOnly = true
                #expect(try await admin.user(.createUser(create)).hasUser == false)
                create.checkOnly = false
                let made = try await admin.user(.createUser(create))
                #expect(made.user.nickname == "Dora" && made.email == "dora@example.org")
                for checkOnly in [false, true] {
                    create.checkOnly = checkOnly
                    #expect(try await admin.adminRefusal(.createUser(create)) == AdminRefusal(.userEmailTaken, "email"))
                    var other = create
                    other.email = "other@example.org"
                    #expect(
                        try await admin.adminRefusal(.createUser(other)) == AdminRefusal(.userNicknameTaken, "nickname")
                    )
                    var short = other
                    short.password = "short"
                    #expect(try await admin.adminRefusal(.createUser(short))?.field == "password")
                    short = other
                    short.nickname = "!"
                    #expect(try await admin.adminRefusal(.createUser(short))?.field == "nickname")
                    short = other
                    short.email = "nowhere"
                    #expect(try await admin.adminRefusal(.createUser(short))?.field == "email")
                }
                let device = try await connect()
                #expect(try await device.refusal(.signIn(.sample(create.email, create.password))) == nil)
                let audit = try await admin.audit()
                let creations = audit.filter { $0.action == "createUser" }
                #expect(creations.count == 1)
                #expect(audit[0].subject == made.user.userID && !audit[0].detail.contains(create.password))
            }
        }
    }

    @Test func `closes a disabled account, which signs in again once enabled`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, connect async throws in
                    let ada = people[0]
                    let device = try await connect()
                    try await ada.signIn(on: device)
                    #expect(try await admin.user(.disableUser(.of(ada.id))).hasDisabledAt)
                    #expect(try await device.closed() == CloseCode.accountGone.rawValue)
                    let other = try await connect()
                    let signIn = WireRequest.signIn(.sample(ada.email, ada.password))
                    #expect(try await other.refusal(signIn) == .authInvalidCredentials)
                    // Repeating it has no effect and adds no audit entry.
                    #expect(try await admin.user(.disableUser(.of(ada.id))).hasDisabledAt)
                    #expect(try await !admin.user(.enableUser(.of(ada.id))).hasDisabledAt)
                    #expect(try await !admin.user(.enableUser(.of(ada.id))).hasDisabledAt)
                    #expect(try await other.refusal(signIn) == nil)
                    #expect(try await admin.audit().prefix(2).map(\.action) == ["enableUser", "disableUser"])
                    #expect(try await admin.audit()[0].actor == "first start")
                }
            }
        }
    }

    @Test(arguments: [nil, "a password of theirs"])
    func `a new password, given or generated, ends the sessions`(given: String?) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, connect async throws in
                    let ada = people[0]
                    let device = try await connect()
                    let session = try await ada.signIn(on: device)
                    var reset = WireAdminResetPassword.of(ada.id)
                    if let given { reset.password = given }
                    let reply = try await admin.admin(.resetPassword(reset)).expect(\.password)
                    #expect(reply.password.isEmpty == (given != nil))
                    #expect(try await device.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(device.revocations == ["password-reset"])
                    let other = try await connect()
                    #expect(try await other.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                    #expect(
                        try await other.refusal(.signIn(.sample(ada.email, ada.password))) == .authInvalidCredentials
                    )
                    let password = given ?? reply.password
                    #expect(try await other.refusal(.signIn(.sample(ada.email, password))) == nil)
                    #expect(try await admin.audit()[0].action == "resetPassword")
                    let audit = try await admin.audit()
                    #expect(audit.allSatisfy { !$0.detail.contains(password) })
                    reset.password = "short"
                    #expect(try await admin.adminRefusal(.resetPassword(reset))?.code == "request.invalid")
                }
            }
        }
    }

    @Test func `deletes an account like its user`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.administered { admin, connect async throws in
                    let (ada, bea) = (people[0], people[1])
                    let promise = try await ada.promise(with: [bea], at: world.now + .hours(2))
                    let device = try await connect()
                    try await ada.signIn(on: device)
                    #expect(try await admin.adminRefusal(.deleteUser(.of(ada.id))) == nil)
                    #expect(try await device.closed() == CloseCode.accountGone.rawValue)
                    await bea.hears { $0 == .friendRemoved(.with { $0.userID = ada.id }) }
                    let left = try await bea.client.getPromise(promise.promiseID)
                    #expect(left.ownerID == bea.id)
                    let shown = try await admin.user(.showUser(.of(ada.id)))
                    #expect(shown.hasDeletedAt && shown.email.isEmpty && shown.user.deleted)
                    let unknown = AdminRefusal(.userNotFound, "userId")
                    #expect(try await admin.adminRefusal(.deleteUser(.of(ada.id))) == unknown)
                    #expect(try await admin.adminRefusal(.disableUser(.of(ada.id))) == unknown)
                    #expect(try await admin.adminRefusal(.enableUser(.of(ada.id))) == unknown)
                    #expect(try await admin.adminRefusal(.kickUser(.of(ada.id))) == unknown)
                    #expect(try await admin.adminRefusal(.resetPassword(.of(ada.id))) == unknown)
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `disconnects a kicked user, signed out if requested`(signOut: Bool) async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, connect async throws in
                    let ada = people[0]
                    let device = try await connect()
                    let session = try await ada.signIn(on: device)
                    var kick = WireAdminKickUser.of(ada.id)
                    kick.signOut = signOut
                    let kicked = try await admin.admin(.kickUser(kick)).expect(\.kicked)
                    #expect(kicked.connections >= 1 && kicked.signIns == (signOut ? 2 : 0))
                    #expect(try await device.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(device.revocations == ["kicked"])
                    let other = try await connect()
                    let refusal = try await other.refusal(.hello(.sample(session.accessToken)))
                    #expect(refusal == (signOut ? .authTokenInvalid : nil))
                    #expect(try await admin.audit()[0].detail == (signOut ? "signed out" : ""))
                }
            }
        }
    }

    @Test func `lists sign-ins and connections newest first`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, connect async throws in
                    let ada = people[0]
                    let device = try await connect()
                    let session = try await ada.signIn(on: device)
                    var hello = WireHello.sample(session.accessToken)
                    hello.deviceID = "tablet"
                    #expect(try await device.refusal(.hello(hello)) == nil)
                    let list = try await admin.admin(.listUserSessions(.of(ada.id))).expect(\.userSessions)
                    #expect(
                        list.signIns.count == 2 && list.signIns[0].expiresAt.seconds > list.signIns[0].createdAt.seconds
                    )
                    #expect(list.connections.map(\.deviceID) == ["tablet", "phone of Ada"])
                    #expect(list.connections.allSatisfy { $0.address == "127.0.0.1" && $0.codec == "json" })
                    #expect(list.connections[1].client.contains("promised"))
                    #expect(!list.connections[0].connectionID.isEmpty && list.connections[0].hasConnectedAt)
                }
            }
        }
    }

    @Test(.proves("admin")) func `every form rejects an unknown user`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                for id in ["0192f0a0-0000-7000-8000-000000000000", "rubbish"] {
                    let code: ErrorCode = id == "rubbish" ? .requestInvalid : .userNotFound
                    let forms: [WireAdminRequest.OneOf_Request] = [
                        .showUser(.of(id)), .disableUser(.of(id)), .enableUser(.of(id)), .resetPassword(.of(id)),
                        .deleteUser(.of(id)), .listUserSessions(.of(id)), .kickUser(.of(id)),
                    ]
                    for form in forms { #expect(try await admin.adminRefusal(form) == AdminRefusal(code, "userId")) }
                }
                #expect(try await admin.adminRefusal(.findUsers(.named(" "))) == AdminRefusal(.requestInvalid, "name"))
                #expect(try await admin.users(.findUsers(.named("0192f0a0-0000-7000-8000-000000000000"))) == [])
                #expect(try await admin.audit().map(\.action) == ["createToken"])
            }
        }
    }
}
