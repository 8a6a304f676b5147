import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedSettings

/// No frame of the server is larger than `limits.sent-frame`, whatever others have stored.
@Suite("Frames of any size", .timeLimit(.minutes(2)))
struct FrameLimitRowTests {
    /// A text of characters of 8 bytes; one byte of each takes two in JSON.
    private static func text(_ characters: Int) -> String {
        String(repeating: "\"\u{20D0}\u{301}\u{302}", count: characters)
    }

    private static func limit(_ bytes: Int) -> @Sendable (inout ServerSettings) -> Void {
        { $0.limits.sentFrame = bytes }
    }

    @Test(.proves("10.7"))
    func `lists requests of many strangers with long pictures in pages, each once`() async throws {
        let limit = 32 << 10
        try await ServerWorld.seeded(
            ["Ada"],
            configure: Self.limit(limit),
            seed: { store, users in
                let strangers = try await store.fill(170)
                for stranger in strangers {
                    _ = try await store.accounts.changeAccount(stranger, AccountChanges(avatar: Self.text(64)))
                }
                for stranger in strangers.prefix(120) {
                    try await store.connect(stranger, to: [users[0]], asFriends: false)
                }
                try await store.connect(users[0], to: strangers.dropFirst(120), asFriends: false)
            },
            body: { world, devices in
                var (incoming, outgoing): ([String], [String]) = ([], [])
                var list = WireListFriendRequests()
                repeat {
                    let (content, size) = try await devices[0].measured(.listFriendRequests(list))
                    let page = try content.expect(\.friendRequests)
                    #expect(size <= limit && !page.incoming.isEmpty)
                    incoming += page.incoming.map(\.userID)
                    outgoing += page.outgoing.map(\.userID)
                    list.cursor = page.cursor
                } while !list.cursor.isEmpty
                #expect(incoming.count == 120 && Set(incoming).count == 120)
                #expect(outgoing.count == 50 && Set(outgoing).count == 50)
            }
        )
    }

    @Test(.proves("10.7")) func `lists friends with long pictures in pages, each once`() async throws {
        let limit = 16 << 10
        try await ServerWorld.seeded(
            ["Ada"],
            configure: Self.limit(limit),
            seed: { store, users in
                let friends = try await store.fill(60)
                for friend in friends {
                    _ = try await store.accounts.changeAccount(friend, AccountChanges(avatar: Self.text(64)))
                }
                try await store.connect(users[0], to: friends, asFriends: true)
            },
            body: { world, devices in
                var names: [String] = []
                var list = WireListFriends()
                repeat {
                    let (content, size) = try await devices[0].measured(.listFriends(list))
                    let page = try content.expect(\.friends)
                    #expect(size <= limit && !page.users.isEmpty)
                    names += page.users.map(\.nickname)
                    list.cursor = page.cursor
                } while !list.cursor.isEmpty
                #expect(names == names.sorted() && Set(names).count == 60)
            }
        )
    }

    @Test(.proves("10.7")) func `sends an explanation in pages, every revision and position once`() async throws {
        let limit = 32 << 10
        let promise = Promise.sample(owner: .user(1), meetsAt: ServerWorld.start + .hours(2))
        try await ServerWorld.seeded(
            ["Ada"],
            configure: Self.limit(limit),
            seed: { store, users in try await Self.seed(promise, of: users[0], in: store) },
            body: { world, devices in
                var (causes, seqs): ([String], [UInt32]) = ([], [])
                var explain = WireExplainArrival()
                (explain.promiseID, explain.userID) = (promise.id.wireText, try await devices[0].id())
                repeat {
                    let (content, size) = try await devices[0].measured(.explainArrival(explain))
                    let page = try content.expect(\.explanation)
                    #expect(size <= limit && page.revisions.count + page.fixes.count > 0)
                    causes += page.revisions.map(\.cause)
                    seqs += page.fixes.map(\.seq)
                    explain.cursor = page.cursor
                } while !explain.cursor.isEmpty
                #expect(causes.count == 300 && Set(causes) == ["backfill"])
                #expect(seqs == (1...90).map { UInt32($0) })
                for cursor in ["x", "-1", "r", "r-1", "rr1"] {
                    explain.cursor = cursor
                    #expect(try await devices[0].refusal(.explainArrival(explain)) == .requestInvalid)
                }
            }
        )
    }

    /// A promise with 300 revisions of its owner's arrival, among events of others, and 90 positions of a device with a
    /// long name.
    private static func seed(_ sample: Promise, of owner: UserID, in store: Store) async throws {
        var promise = sample
        promise.ownerID = owner
        let arrival = RankedArrival(
            userID: owner,
            arrival: Arrival(stage: .confirmed, creditedAt: promise.meetsAt, source: .gps),
            rank: 1
        )
        let events = (1...600).map { seq in
            let revised = PromiseEvent.rankingRevised([arrival], cause: .backfill)
            return NumberedEvent(seq: seq, at: promise.createdAt, event: seq.isMultiple(of: 2) ? revised : .edited)
        }
        _ = try await store.promises.createPromise(
            promise,
            participants: [.accepted(owner)],
            events: events,
            key: "k",
            contentHash: [1],
            now: ServerWorld.start
        )
        var commit = SessionCommit(promiseID: promise.id)
        let device = DeviceKey(deviceID: text(64), bootID: "1")
        commit.fixes = (1...90).map { number in
            ArchivedFix(
                userID: owner,
                device: device,
                fix: .sample(seq: UInt32(number), at: promise.opensAt + .seconds(Double(number)), metres: 100)
            )
        }
        try await store.sessions.commit(commit, ownerEpoch: try await store.sessions.activate(promise.id))
    }

    /// Each of 21 kB, as an earlier version stored them.
    @Test(.proves("10.7"), arguments: WireCodec.allCases)
    func `announces and shows a result with 49 long excuses on the same connection`(codec: WireCodec) async throws {
        let reason = String(repeating: "e" + String(repeating: "\u{301}", count: 52), count: 200)
        let sample = Promise.sample(
            meetsAt: ServerWorld.start + .minutes(1),
            spans: WindowSpans(before: .minutes(1), after: .seconds(10), settle: .seconds(10))
        )
        try await ServerWorld.seeded(
            ["Ada"],
            configure: { $0.clock.rate = 20 },
            seed: { store, users in
                var promise = sample
                promise.ownerID = users[0]
                let others = try await store.fill(49).map { user in
                    var participant = Participant.accepted(user, at: promise.createdAt)
                    participant.excusedReason = reason
                    return participant
                }
                _ = try await store.promises.createPromise(
                    promise,
                    participants: [.accepted(users[0], at: promise.createdAt)] + others,
                    events: [],
                    key: "k",
                    contentHash: [1],
                    now: promise.createdAt
                )
            },
            body: { world, devices in
                let final = try await devices[0].event(\.isResultFinal)
                #expect(final.resultFinal.result.rows.filter { $0.outcome == .excused }.count == 49)
                #expect(try codec.encode(WireServerFrame(event: final)).count <= 256 << 10)
                var request = WireGetResult()
                request.promiseID = sample.id.wireText
                let (content, size) = try await devices[0].measured(.getResult(request))
                guard case .result(let result) = content else { return #expect(Bool(false)) }
                #expect(result.rows.count == 50 && size <= 256 << 10)
                #expect(try await devices[0].refusal(.getMe(WireGetMe())) == nil)
            }
        )
    }

    @Test(.proves("10.7"), arguments: WireCodec.allCases)
    func `an oversized reply becomes an error, and the connection stays`(
        codec: WireCodec
    ) async throws {
        // No state causes this; the limit is far below the range of the setting.
        try await ServerWorld.with(codec: codec, configure: Self.limit(2_500)) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                var create = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(2))
                create.note = String(repeating: "é", count: 500)
                create.place.address = Self.text(200)
                #expect(try await device.refusal(.createPromise(create)) == .serverInternal)
                let me = try await device.call(.getMe(WireGetMe())).expect(\.me)
                #expect(me.user.nickname == "Ada")
                #expect(try await world.scrape().contains("promised_unsendable_frames_total 1\n"))
            }
        }
    }

    @Test(.proves("10.7")) func `replaces the missed events of many edits by a snapshot`() async throws {
        let limit = 32 << 10
        try await ServerWorld.with(configure: Self.limit(limit)) { world in
            try await world.devices { connect in
                let device = try await connect()
                _ = try await device.signUp("Ada")
                var create = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(2))
                create.note = String(repeating: "é", count: 500)
                let made = try await device.call(.createPromise(create)).expect(\.promise)
                var subscribe = WireSubscribe.to(made.promise.promiseID)
                let first = try await device.call(.subscribe(subscribe)).expect(\.subscribed)
                for version in 1...30 {
                    var update = WireUpdatePromise()
                    (update.promiseID, update.version) = (made.promise.promiseID, UInt32(version))
                    update.title = "Number \(version)"
                    #expect(try await device.refusal(.updatePromise(update)) == nil)
                }
                for (lastSeq, isSnapshot) in [(first.seq, true), (first.seq + 29, false)] {
                    (subscribe.epoch, subscribe.lastSeq) = (first.epoch, lastSeq)
                    let (content, size) = try await device.measured(.subscribe(subscribe))
                    let again = try content.expect(\.subscribed)
                    #expect(size <= limit && again.hasSnapshot == isSnapshot)
                    #expect(again.missed.count == (isSnapshot ? 0 : 1))
                }
            }
        }
    }

    @Test func `replaces many small missed events by a snapshot if they do not fit`() async throws {
        let limit = 32 << 10
        let sample = Promise.sample(owner: .user(1), meetsAt: ServerWorld.start + .hours(2))
        try await ServerWorld.seeded(
            ["Ada"],
            configure: Self.limit(limit),
            seed: { store, users in
                var promise = sample
                promise.ownerID = users[0]
                _ = try await store.promises.createPromise(
                    promise,
                    participants: [.accepted(users[0])],
                    events: (1...400).map {
                        NumberedEvent(seq: $0, at: sample.createdAt, event: .handedOver(users[0]))
                    },
                    key: "k",
                    contentHash: [1],
                    now: ServerWorld.start
                )
            },
            body: { _, devices in
                var subscribe = WireSubscribe.to(sample.id.wireText)
                let first = try await devices[0].call(.subscribe(subscribe)).expect(\.subscribed)
                for (missed, isSnapshot) in [(400, true), (100, false)] {
                    (subscribe.epoch, subscribe.lastSeq) = (first.epoch, first.seq - UInt32(missed))
                    let (content, size) = try await devices[0].measured(.subscribe(subscribe))
                    let again = try content.expect(\.subscribed)
                    #expect(size <= limit && again.hasSnapshot == isSnapshot)
                    #expect(again.missed.count == (isSnapshot ? 0 : missed))
                }
            }
        )
    }
}

extension Device {
    /// The reply to a request, and how many bytes its frame has.
    fileprivate func measured(_ request: WireRequest) async throws -> (WireContent, Int) {
        try send(request)
        let bytes = try await nextReply()
        guard let content = try frame(bytes).content else { throw NoReply() }
        return (content, bytes.count)
    }
}
