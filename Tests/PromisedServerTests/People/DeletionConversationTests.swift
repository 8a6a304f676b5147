import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import Testing

@testable import PromisedSettings
@testable import PromisedStore

@Suite("Deletion over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct DeletionConversationTests {
    @Test(.proves("2.15", "deleteAccount", "4505"), arguments: WireCodec.allCases)
    func `deletes an account at once for its devices and friends`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.devices { connect in
                    let (ada, bea) = (people[0], people[1])
                    try await ada.befriend(bea)
                    let (mine, other) = (try await connect(), try await connect())
                    let session = try await ada.signIn(on: mine)
                    try await ada.signIn(on: other)
                    #expect(try await mine.refusal(.deleteAccount(.sample("wrong"))) == .authInvalidCredentials)
                    try await mine.call(.deleteAccount(.sample(ada.password))).expect(\.done)
                    #expect(try await mine.closed() == CloseCode.accountGone.rawValue)
                    #expect(mine.revocations == [])
                    #expect(try await other.closed() == CloseCode.accountGone.rawValue)
                    #expect(other.revocations == ["account-deleted"])
                    await bea.hears { what in
                        if case .friendRemoved(let removed) = what { removed.userID == ada.id } else { false }
                    }
                    for request in [
                        .findUser(.named("Ada")), .getProfile(.of(ada.id)), .requestFriend(.to(ada.id)),
                        .blockUser(.of(ada.id)),
                    ] as [WireRequest] {
                        #expect(await bea.refusal(request) == .userNotFound)
                    }
                    let stranger = try await connect()
                    #expect(try await stranger.refusal(.hello(.sample(session.accessToken))) == .authTokenInvalid)
                    #expect(try await stranger.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                    let credentials = WireSignIn.sample(ada.email, ada.password)
                    #expect(try await stranger.refusal(.signIn(credentials)) == .authInvalidCredentials)
                    // Address and nickname are free again.
                    #expect(try await stranger.refusal(.signUp(.sample(ada.email, "aDA"))) == nil)
                }
            }
        }
    }

    @Test(.proves("2.14")) func `a deleted user leaves other users' promises, which show a deleted user`() async throws
    {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid async throws in
                let joined = try await ada.promise(with: [bea, cid], at: ServerWorld.start + .hours(2))
                let asked = try await ada.client.createPromise(
                    .sample(meetsAt: ServerWorld.start + .hours(5), invitees: [bea])
                ).promise
                for person in [ada, cid] { _ = try await person.client.subscribe(promiseID: joined.promiseID) }
                var status = WireSetStatus()
                (status.promiseID, status.text, status.emoji) = (joined.promiseID, "On the bus", "🚌")
                #expect(await bea.refusal(.setStatus(status)) == nil)
                #expect(try await ada.part(of: bea, in: joined.promiseID)?.statusText == "On the bus")
                try await bea.deleteAccount()
                await ada.hears { if case .left = $0 { true } else { false } }
                for id in [joined.promiseID, asked.promiseID] {
                    let promise = try await ada.client.getPromise(id)
                    let gone = try #require(promise.participants.first { $0.user.userID == bea.id })
                    #expect(gone.user.deleted && gone.user.nickname == "deleted user" && gone.user.avatar == "")
                    #expect(gone.membership == (id == joined.promiseID ? .left : .declined))
                    #expect(promise.status == .scheduled)
                    #expect(gone.statusText == "" && gone.emoji == "")
                }
                let profile = try await cid.client.call(.getProfile(.of(bea.id))).expect(\.profile)
                #expect(profile.user.deleted)
            }
        }
    }

    @Test(.proves("2.15")) func `transfers or cancels the promises of a deleted user`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let promise = try await ada.promise(with: [bea], at: ServerWorld.start + .hours(2))
                try await ada.deleteAccount()
                let seen = try await bea.client.getPromise(promise.promiseID)
                #expect(seen.status == .scheduled)
                #expect(seen.ownerID == bea.id)
                #expect(seen.participants.first { $0.user.userID == ada.id }?.membership == .left)
                #expect(seen.participants.first { $0.user.userID == ada.id }?.user.deleted == true)
            }
        }
    }

    @Test(.proves("2.15")) func `cancels a promise without other accepted participants`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                try await ada.befriend(bea)
                let request = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(2), invitees: [bea])
                let promise = try await ada.client.createPromise(request).promise
                try await ada.deleteAccount()
                #expect(try await bea.client.getPromise(promise.promiseID).status == .cancelled)
                await bea.wait { $0.contains { $0.what?.name == "cancelled" } }
            }
        }
    }

    @Test(.proves("2.15")) func `keeps the rows of past results`() async throws {
        try await ServerWorld.with(
            rate: 60,
            configure: { $0.window = WindowSpans(before: .minutes(1), after: .minutes(1), settle: .seconds(1)) },
            { world in
                try await world.with("Ada", "Bea") { ada, bea async throws in
                    let promise = try await ada.promise(with: [bea], at: world.now + .minutes(3))
                    _ = try await ada.client.subscribe(promiseID: promise.promiseID)
                    await ada.wait { $0.contains { $0.what?.isResultFinal == true } }
                    let before = try await ada.client.getResult(promiseID: promise.promiseID)
                    try await bea.deleteAccount()
                    let after = try await ada.client.getResult(promiseID: promise.promiseID)
                    #expect(after.rows.map(\.outcome) == before.rows.map(\.outcome))
                    #expect(after.rows.map(\.user.userID) == before.rows.map(\.user.userID))
                    #expect(after.rows.filter(\.user.deleted).map(\.user.userID) == [bea.id])
                    let profile = try await ada.client.call(.getProfile(.of(bea.id))).expect(\.profile)
                    #expect(profile.user.deleted && profile.statistics.counted == 1)
                }
            }
        )
    }

    @Test(.proves("2.15")) func `the next start finishes an interrupted deletion`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        try await ServerWorld.with(directory: directory) { world in
            try await world.with("Ada", "Bea") { people async throws in
                _ = try await people[0].promise(with: [people[1]], at: ServerWorld.start + .hours(2))
            }
        }
        // The store of a server that dies right after accepting the request.
        let store = try await Store.open(directory: directory)
        let ada = try #require(try await store.accounts.user(nicknameKey: "ada")).id
        let bea = try #require(try await store.accounts.user(nicknameKey: "bea")).id
        // More than one part of the deletion can process.
        try await store.write { db in
            try db.run(
                """
                WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 3000)
                INSERT INTO idempotency_key (owner_id, key, kind, subject_id, content_hash, created_at)
                SELECT ?, 'more ' || n, 'promise', zeroblob(16), x'00', ? FROM number
                """,
                [ada, ServerWorld.start]
            )
        }
        let begun = try #require(
            try await store.deletions.beginDeletion(of: ada, at: ServerWorld.start, subjectKey: { _ in [] })
        )
        #expect(begun.friends == [bea] && !begun.erasure.isComplete)
        let promiseID = try #require(try await store.deletions.openParts(of: ada, at: ServerWorld.start).first)
        try await store.close()

        let often: @Sendable (inout ServerSettings) -> Void = { $0.limits.requestBurst = 100_000 }
        try await ServerWorld.with(directory: directory, configure: often) { world in
            try await world.devices { connect in
                let device = try await connect()
                let credentials = WireSignIn.sample("bea@example.org", "correct horse Bea")
                #expect(try await device.refusal(.signIn(credentials)) == nil)
                // The server finishes it without a notification; a check lists the remains.
                try await world.administered { admin, _ async throws in
                    while case .verification(let found) = try await admin.admin(.verify(.init())),
                        !found.erasing.isEmpty
                    {
                        #expect(found.erasing.map(\.id) == [ada.description])
                    }
                }
                let reply = try await device.call(.getPromise(.of(promiseID.description))).expect(\.promise)
                #expect(reply.promise.ownerID == bea.description)
            }
        }
        let after = try await Store.open(directory: directory)
        #expect(try await after.accounts.account(ada)?.deletedAt != nil)
        #expect(try await after.deletions.unfinishedErasures() == [])
        #expect(try await after.deletions.openParts(of: ada, at: ServerWorld.start) == [])
        #expect(try await after.upkeep.verify() == [])
        try await after.close()
    }
}

extension Person {
    /// Deletes my account, which closes my connections.
    func deleteAccount() async throws {
        guard case .done = try await client.call(.deleteAccount(.sample(password))) else { throw Device.NoReply() }
    }
}
