import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Limits of counts: one below, at, and one above each (domain §4, §5).
@Suite("Limits of numbers over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct CountLimitRowTests {
    private static let meetsAt = ServerWorld.start + .hours(2)
    /// Meeting times, at most ten of them equal; the windows of different ones do not overlap.
    private static func meetsAt(_ number: Int) -> Instant { meetsAt + .hours(4 * Int64(number / 10)) }
    private static let busy: @Sendable (inout ServerSettings) -> Void = {
        $0.limits.requestBurst = 10_000
    }

    @Test(.proves("4.3", "promise.limit"))
    func `accepts a hundred promises until one of them is over`() async throws {
        try await ServerWorld.with(configure: Self.busy) { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                try await ada.befriend(bea)
                let theirs = try await bea.promise(inviting: [ada], at: Self.meetsAt)
                _ = try await ada.client.respond(promiseID: theirs.promiseID, accept: true)
                for number in 1...98 { _ = try await ada.promise(inviting: [], at: Self.meetsAt(number)) }
                let ninetyNinth = try await ada.promise(inviting: [bea], at: Self.meetsAt(99))
                let last = Self.meetsAt(100)
                #expect(await ada.refusal(.createPromise(.sample(meetsAt: last))) == nil)
                #expect(await ada.refusal(.createPromise(.sample(meetsAt: last))) == .promiseLimit)
                // A transferred promise counts like a created one.
                let handOver = WireHandOver.with {
                    $0.promiseID = theirs.promiseID
                    $0.userID = ada.id
                }
                #expect(await bea.refusal(.handOver(handOver)) == .promiseLimit)
                #expect(await ada.refusal(.cancelPromise(.of(ninetyNinth.promiseID))) == nil)
                #expect(await bea.refusal(.handOver(handOver)) == nil)
                #expect(await ada.refusal(.createPromise(.sample(meetsAt: last))) == .promiseLimit)
            }
        }
    }

    @Test(.proves("4.3", "promise.limit"))
    func `a user in two hundred promises can join another only after leaving one`() async throws {
        let open = Promise.sample(number: 203, meetsAt: Self.meetsAt(203))
        try await ServerWorld.seeded(
            ["Ada"],
            configure: Self.busy,
            seed: { store, users in
                let owners = try await store.fill(3)
                for number in 1...203 {
                    let membership: Participant =
                        number <= 198 ? .accepted(users[0], at: ServerWorld.start) : .invited(users[0])
                    try await store.add(
                        .sample(number: UInt64(number), owner: owners[number % 3], meetsAt: Self.meetsAt(number)),
                        with: number < 203 ? [membership] : []
                    )
                }
                try await store.promises.createInvite("AAAABBBBCC", to: open.id, expiresAt: nil, now: ServerWorld.start)
            },
            body: { _, devices in
                let ada = devices[0]
                for (number, code) in [(199, nil), (200, nil), (201, ErrorCode.promiseLimit)] as [(UInt64, ErrorCode?)]
                {
                    let refusal = try await ada.accept(number)
                    #expect(refusal == code)
                }
                // A repeated request gets the same reply.
                #expect(try await ada.accept(200) == nil)
                #expect(try await ada.refusal(.joinByCode(.typed("AAAABBBBCC"))) == .promiseLimit)
                let free = Self.meetsAt(220)
                #expect(try await ada.refusal(.createPromise(.sample(meetsAt: free))) == .promiseLimit)
                #expect(try await ada.refusal(.leavePromise(.of(Promise.sample(number: 1).id.wireText))) == nil)
                #expect(try await ada.refusal(.joinByCode(.typed("AAAABBBBCC"))) == nil)
                #expect(try await ada.accept(201) == .promiseLimit)
            }
        )
    }

    @Test(.proves("4.4", "promise.limit")) func `accepts fifty participants, invited or by code`() async throws {
        try await ServerWorld.seeded(
            ["Ada", "Bea"],
            configure: Self.busy,
            seed: { store, users in
                try await store.connect(users[0], to: try await store.fill(50), asFriends: true)
            },
            body: { world, devices in
                let (ada, bea) = (devices[0], devices[1])
                let friends = try await ada.friendIDs()
                for (count, code) in [(48, nil), (49, nil), (50, ErrorCode.promiseLimit)] {
                    #expect(try await ada.refusal(.inviting(friends.prefix(count))) == code)
                }
                let reply = try await ada.call(.inviting(friends.prefix(48))).expect(\.promise)
                let promise = reply.promise
                var update = WireUpdatePromise()
                update.promiseID = promise.promiseID
                update.version = promise.version
                update.invite = Array(friends[48..<50])
                #expect(try await ada.refusal(.updatePromise(update)) == .promiseLimit)
                let code = try await ada.inviteCode(to: promise.promiseID)
                #expect(try await bea.refusal(.joinByCode(.typed(code))) == nil)
                update.invite = [friends[48]]
                #expect(try await ada.refusal(.updatePromise(update)) == .promiseLimit)
                // A participant who leaves makes room.
                #expect(try await bea.refusal(.leavePromise(.of(promise.promiseID))) == nil)
                #expect(try await ada.refusal(.updatePromise(update)) == nil)
                #expect(try await bea.refusal(.joinByCode(.typed(code))) == .promiseLimit)
            }
        )
    }

    @Test(.proves("5.5", "report", "request.too-large"), arguments: WireCodec.allCases)
    func `a report has 1 to 200 fixes`(codec: WireCodec) async throws {
        try await ServerWorld.withShortLead(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                let id = try await people[0].openPromise(with: [], in: world)
                var seq: UInt32 = 0
                for count in [1, 199, 200] {
                    let reported = try await people[0].client.report(.fixes(count, of: id, after: seq))
                    #expect(reported.taken == Array((seq + 1)...(seq + UInt32(count))))
                    seq += UInt32(count)
                }
                let tooMany = try #require(await people[0].error(.report(.fixes(201, of: id, after: seq))))
                #expect(tooMany.code == "request.too-large")
                #expect(tooMany.field == "fixes")
                #expect(await people[0].refusal(.report(.fixes(0, of: id, after: seq))) == .requestInvalid)
                // The server accepted no fix of the oversized report.
                let again = try await people[0].client.report(.fixes(1, of: id, after: seq))
                #expect(again.taken == [seq + 1])
                #expect(again.rejected == [])
            }
        }
    }

    @Test(.proves("6.13", "limit.attempts"), .defends("guessed-codes"))
    func `checks ten wrong check-in codes and rejects an eleventh attempt`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea async throws in
                let id = try await ada.openPromise(with: [bea], in: world)
                _ = try await ada.report(id, seq: 1, metres: 10)
                try await ada.reply(.checkIn(.at(id))).expect(\.arrival)
                let code = try await ada.reply(.getCheckInCode(.of(id))).expect(\.checkInCode)
                let wrong = code.code == "000000" ? "000001" : "000000"
                for _ in 1...10 { #expect(await bea.refusal(.checkIn(.at(id, code: wrong))) == .codeInvalid) }
                let error = try #require(await bea.error(.checkIn(.at(id, code: wrong))))
                #expect(error.code == "limit.attempts")
                #expect((1...900_000).contains(error.retryAfterMs))
            }
        }
    }
}

extension Person {
    /// Creates a promise without any answer yet.
    fileprivate func promise(inviting others: [Person], at meetsAt: Instant) async throws -> WirePromise {
        try await client.createPromise(.sample(meetsAt: meetsAt, invitees: others)).promise
    }
}

extension Store {
    /// Adds a promise of its owner and others.
    fileprivate func add(_ promise: Promise, with others: [Participant]) async throws {
        _ = try await promises.createPromise(
            promise,
            participants: [.accepted(promise.ownerID, at: ServerWorld.start)] + others,
            events: [],
            key: "\(promise.id)",
            contentHash: [1],
            now: ServerWorld.start
        )
    }
}

extension Device {
    /// The refusal of accepting the sample promise of this number.
    fileprivate func accept(_ number: UInt64) async throws -> ErrorCode? {
        let answer = WireRespond.with {
            $0.promiseID = Promise.sample(number: number).id.wireText
            $0.accept = true
        }
        return try await refusal(.respond(answer))
    }

    /// The ids of all friends.
    fileprivate func friendIDs() async throws -> [String] {
        var ids: [String] = []
        var request = WireListFriends()
        repeat {
            guard case .friends(let page) = try await call(.listFriends(request)) else { throw NoReply() }
            ids += page.users.map(\.userID)
            request.cursor = page.cursor
        } while !request.cursor.isEmpty
        return ids
    }

    /// A code for joining a promise.
    fileprivate func inviteCode(to promiseID: String) async throws -> String {
        let request = WireCreateInvite.with { $0.promiseID = promiseID }
        guard case .invite(let invite) = try await call(.createInvite(request)) else { throw NoReply() }
        return invite.code
    }
}

extension WireRequest {
    /// A new promise with these users invited.
    fileprivate static func inviting(_ ids: some Sequence<String>) -> WireRequest {
        var request = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(2))
        request.inviteeIds = Array(ids)
        return .createPromise(request)
    }
}

extension WireReport {
    /// A report of `count` fixes half a kilometre away.
    fileprivate static func fixes(_ count: Int, of promiseID: String, after seq: UInt32) -> WireReport {
        var report = WireReport.one(promiseID)
        let fix = report.fixes[0]
        report.fixes = (0..<count).map { index in
            var next = fix
            next.seq = seq + UInt32(index) + 1
            next.latitude += 500 / 111_195
            return next
        }
        return report
    }
}
