import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Changing a promise", .tags(.realTime), .timeLimit(.minutes(2)))
struct EditConversationTests {
    private static let meetsAt = ServerWorld.start + .hours(2)

    private static func update(
        _ promise: WirePromise,
        version: UInt32? = nil,
        _ change: (inout WireUpdatePromise) -> Void
    ) -> WireRequest {
        var request = WireUpdatePromise()
        request.promiseID = promise.promiseID
        request.version = version ?? promise.version
        change(&request)
        return .updatePromise(request)
    }

    @Test(.proves("4.11", "updatePromise", "edited", "promise.stale-version"), arguments: WireCodec.allCases)
    func `an owner's edits reach the others at once`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promise = try await ada.promise(with: [bea], at: Self.meetsAt)
                _ = try await bea.client.subscribe(promiseID: promise.promiseID)
                let edit = Self.update(promise) {
                    $0.title = "  Supper "
                    $0.radiusMetres = 80
                    $0.meetsAt = WireTimestamp(Self.meetsAt + .hours(1))
                }
                let reply = try await ada.reply(edit).expect(\.promise)
                #expect(reply.promise.title == "Supper")
                #expect(reply.promise.version == promise.version + 1)
                #expect(reply.promise.opensAt == WireTimestamp(Self.meetsAt + .minutes(30)))
                await bea.wait { $0.contains { $0.what?.name == "edited" } }
                #expect(bea.durable(of: promise.promiseID).last?.edited.promise.radiusMetres == 80)
                #expect(await ada.refusal(edit) == .promiseStaleVersion)
                #expect(await bea.refusal(Self.update(reply.promise) { $0.note = "x" }) == .promiseNotOwner)
            }
        }
    }

    @Test(.proves("4.1", "4.11", "updatePromise")) func `checks each field of an edit`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promise = try await ada.promise(with: [], at: Self.meetsAt)
                func refusal(_ change: (inout WireUpdatePromise) -> Void) async -> ErrorCode? {
                    await ada.refusal(Self.update(promise, change))
                }
                #expect(await refusal { $0.title = " " } == .requestInvalid)
                #expect(await refusal { $0.note = String(repeating: "n", count: 501) } == .requestInvalid)
                #expect(await refusal { $0.radiusMetres = 19 } == .requestInvalid)
                #expect(await refusal { $0.radiusMetres = 501 } == .requestInvalid)
                #expect(await refusal { $0.place.name = "Nowhere" } == .requestInvalid)
                #expect(await refusal { $0.penalty.currency = "ZZZ" } == .requestInvalid)
                #expect(await refusal { $0.meetsAt = WireTimestamp(Self.meetsAt - .hours(2)) } == .promiseTooSoon)
                #expect(await refusal { $0.invite = [bea.id] } == .promiseNotFriend)
                #expect(await refusal { $0.remove = [bea.id] } == .userNotFound)
                #expect(await refusal { $0.remove = ["nobody"] } == .requestInvalid)
                #expect(await refusal { _ in } == nil)
                #expect(try await ada.see(promise.promiseID).version == promise.version)
            }
        }
    }

    @Test(.proves("updatePromise", "removed")) func `invites and removes participants later, and notifies them`()
        async throws
    {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { ada, bea, cid in
                let promise = try await ada.promise(with: [bea], at: Self.meetsAt)
                _ = try await bea.client.subscribe(promiseID: promise.promiseID)
                try await ada.befriend(cid)
                let now = try await ada.see(promise.promiseID)
                _ = try await ada.reply(
                    Self.update(now) {
                        $0.invite = [cid.id]
                        $0.remove = [bea.id]
                    }
                )
                await cid.wait { $0.contains { $0.what?.name == "invited" } }
                #expect(try await cid.see(promise.promiseID).title == "Dinner")
                // Bea is notified of her removal, and then receives nothing more.
                await bea.wait { $0.contains { $0.what?.name == "removed" } }
                #expect(await bea.refusal(.getPromise(.of(promise.promiseID))) == .promiseNotFound)
                #expect(await bea.refusal(.subscribe(.of(promise.promiseID))) == .promiseNotFound)
                #expect(bea.durable(of: promise.promiseID).last?.what?.name == "removed")
            }
        }
    }

    @Test(.proves("4.14", "handOver")) func `an owner transfers ownership and can then leave`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let promise = try await ada.promise(with: [bea], at: Self.meetsAt)
                let handOver = WireHandOver.with {
                    $0.promiseID = promise.promiseID
                    $0.userID = bea.id
                }
                #expect(await bea.refusal(.handOver(handOver)) == .promiseNotOwner)
                let reply = try await ada.reply(.handOver(handOver)).expect(\.promise)
                #expect(reply.promise.ownerID == bea.id)
                #expect(await ada.refusal(.handOver(handOver)) == .promiseNotOwner)
                #expect(await ada.refusal(.leavePromise(.of(promise.promiseID))) == nil)
                #expect(await bea.refusal(.leavePromise(.of(promise.promiseID))) == .authForbidden)
            }
        }
    }

    // MARK: - Codes

    @Test(.proves("4.10", "createInvite", "revokeInvite", "joinByCode", "code.invalid"))
    func `a code admits strangers until it is revoked, replaced or expired`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid", "Dan") { people in
                let (ada, bea, cid, dan) = (people[0], people[1], people[2], people[3])
                let promise = try await ada.promise(with: [], at: Self.meetsAt)
                let first = try await ada.invite(to: promise.promiseID)
                #expect(first.code.count == 10)
                #expect(!first.hasExpiresAt)
                // Typed as people type.
                let typed = first.code.lowercased().prefix(5) + "-" + first.code.lowercased().suffix(5)
                #expect(await bea.refusal(.joinByCode(.typed(String(typed)))) == nil)
                #expect(try await bea.see(promise.promiseID).participants.map(\.membership) == [.accepted, .accepted])
                let second = try await ada.invite(to: promise.promiseID, expiresInMs: 3_600_000)
                #expect(second.hasExpiresAt)
                #expect(await cid.refusal(.joinByCode(.typed(first.code))) == .codeInvalid)
                #expect(await cid.refusal(.joinByCode(.typed(second.code))) == nil)
                let revoke = WireRevokeInvite.with { $0.promiseID = promise.promiseID }
                #expect(await bea.refusal(.revokeInvite(revoke)) == .promiseNotOwner)
                #expect(await ada.refusal(.revokeInvite(revoke)) == nil)
                #expect(await dan.refusal(.joinByCode(.typed(second.code))) == .codeInvalid)
                #expect(await dan.refusal(.revokeInvite(revoke)) == .promiseNotFound)
                for bad in [0.0, -1, .infinity, .nan, 1e12] {
                    let request = WireCreateInvite.with {
                        $0.promiseID = promise.promiseID
                        $0.expiresInMs = bad
                    }
                    #expect(await ada.refusal(.createInvite(request)) == .requestInvalid)
                }
            }
        }
    }

    @Test func `limits promises a day, cancelled ones included`() async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { $0.throttle.promises = 2 }
        try await ServerWorld.with(configure: few) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                for key in ["a", "b"] {
                    let promise = try await ada.promise(with: [], at: Self.meetsAt, key: key)
                    #expect(await ada.refusal(.cancelPromise(.of(promise.promiseID))) == nil)
                }
                // Repeating it creates no other.
                _ = try await ada.promise(with: [], at: Self.meetsAt, key: "b")
                let error = try #require(
                    await ada.error(.createPromise(.sample(key: "c", meetsAt: Self.meetsAt)))
                )
                #expect(error.code == ErrorCode.limitAttempts.rawValue)
                #expect((1...86_400_000).contains(error.retryAfterMs))
                // Per user.
                _ = try await bea.promise(with: [], at: Self.meetsAt, key: "c")
            }
        }
    }

    @Test(.proves("4.10")) func `rejects an expired code as wrong`() async throws {
        try await ServerWorld.with(rate: 1_000) { world in
            try await world.with("Ada", "Bea") { people in
                let promise = try await people[0].promise(with: [], at: world.now + .hours(20))
                let invite = try await people[0].invite(to: promise.promiseID, expiresInMs: 1)
                try await world.service.clock.sleep(until: world.now + .milliseconds(2))
                #expect(await people[1].refusal(.joinByCode(.typed(invite.code))) == .codeInvalid)
            }
        }
    }

    @Test(.proves("4.10")) func `rejects every code after ten wrong ones, even a right one`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea", "Cid") { people in
                let promise = try await people[0].promise(with: [], at: Self.meetsAt)
                let invite = try await people[0].invite(to: promise.promiseID)
                for _ in 1...9 {
                    #expect(await people[1].refusal(.joinByCode(.typed("0000000000"))) == .codeInvalid)
                }
                // A correct one does not count, so another wrong one is the tenth.
                #expect(await people[1].refusal(.joinByCode(.typed(invite.code))) == nil)
                #expect(await people[1].refusal(.joinByCode(.typed("no code"))) == .codeInvalid)
                #expect(await people[1].refusal(.joinByCode(.typed(invite.code))) == .limitAttempts)
                #expect(await people[2].refusal(.joinByCode(.typed(invite.code))) == nil)
            }
        }
    }
}

extension Person {
    func invite(to promiseID: String, expiresInMs: Double? = nil) async throws -> WireInvite {
        var request = WireCreateInvite()
        request.promiseID = promiseID
        if let expiresInMs { request.expiresInMs = expiresInMs }
        guard case .invite(let invite) = try await client.call(.createInvite(request)) else {
            throw ClientError.unexpectedReply
        }
        return invite
    }
}

extension WireJoinByCode {
    static func typed(_ code: String) -> WireJoinByCode {
        WireJoinByCode.with { $0.code = code }
    }
}
