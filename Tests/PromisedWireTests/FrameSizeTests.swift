import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

/// The largest values that can't be split, made of the longest texts and the most people there may be: each fits into the
/// smallest frame that the server may be told to send.
@Suite struct FrameSizeTests {
    /// The smallest `limits.sent-frame`; what the envelope of a page may need is not in it.
    static let smallestFrame = 240 << 10

    /// A character of 8 bytes, one of which takes two in JSON.
    static let character = "\"\u{20D0}\u{301}\u{302}"
    static let start = Instant(milliseconds: 1_795_251_600_123)

    static func text(_ characters: Int) -> String { String(repeating: character, count: characters) }

    static func userID(_ number: Int) -> UserID {
        UserID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number))
    }

    /// Letters cannot be quotation marks, so a nickname does not grow in JSON.
    static func card(_ userID: UserID) -> UserCard {
        UserCard(id: userID, nickname: String(repeating: "e\u{20D0}\u{20D0}\u{327}", count: 20), avatar: text(64))
    }

    static let promise: Promise = {
        var promise = Promise(
            id: PromiseID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000),
            ownerID: userID(0),
            title: text(60),
            note: text(500),
            place: Place(
                name: text(100),
                address: text(200),
                coordinate: Coordinate(latitude: -12.345_678_901_234_567, longitude: -123.456_789_012_345_67)
            ),
            meetsAt: start,
            radiusMetres: 500,
            penalty: Penalty(amount: 40_000_000, currency: "EUR"),
            rule: ArrivalRule(grace: .hours(1)),
            createdAt: start,
            epoch: "0194-"
        )
        promise.version = .max
        return promise
    }()

    static let estimate = ArrivalEstimate(
        band: ArrivalEstimate.Band(medianAt: start, lowAt: start, highAt: start),
        state: .approaching
    )

    static func arrival(of userID: UserID) -> RankedArrival {
        RankedArrival(
            userID: userID,
            arrival: Arrival(stage: .provisional, creditedAt: start - .milliseconds(1_799_999), source: .owner),
            rank: 80
        )
    }

    static func view(people: Int = PromiseLimits.people) -> SessionView {
        let members = (0..<people).map { number in
            let participant = Participant(
                userID: userID(number),
                membership: .accepted,
                invitedAt: start,
                acceptedAt: start,
                excusedReason: text(200),
                statusText: text(80),
                emoji: "\"" + String(repeating: "\u{301}", count: 31),
                isLinkSharing: true
            )
            return SessionView.Member(
                participant: participant,
                arrival: arrival(of: userID(number)),
                live: LiveState(),
                presence: Presence(
                    userID: userID(number),
                    freshness: .lagging,
                    cause: .lowBattery,
                    lastSeenAt: start,
                    lastMovedAt: start
                ),
                estimate: estimate
            )
        }
        let result = PromiseResult(
            deciding: promise,
            participants: members.map(\.participant),
            arrivals: Dictionary(
                uniqueKeysWithValues: members.map(\.participant.userID).map { ($0, arrival(of: $0).arrival) }
            )
        )
        return SessionView(
            promise: promise,
            status: .tracking,
            members: members,
            lastSeq: .max,
            result: result,
            viewLinkEndsAt: start,
            viewerCount: .max
        )
    }

    static func position(of userID: UserID) -> LivePosition {
        LivePosition(
            userID: userID,
            seq: .max,
            coordinate: promise.place.coordinate,
            accuracyMetres: 1_234.567_890_123_456_7,
            fixTime: start,
            distanceMetres: 12_345_678.901_234_567,
            estimate: estimate,
            lane: 0
        )
    }

    /// A promise as participants see it who are on the way; positions are put in, which only a session knows.
    static func livePromise(_ view: SessionView = view()) -> WirePromise {
        var wire = WirePromise(view, detail: .live, card: card)
        for index in wire.participants.indices {
            wire.participants[index].position = WirePosition(position(of: userID(index)))
        }
        return wire
    }

    static func event(_ event: PromiseEvent) -> WireServerFrame {
        WireServerFrame(event: WireEvent(NumberedEvent(seq: .max, at: start, event: event), in: view(), card: card))
    }

    static func frame(_ content: WireContent) -> WireServerFrame { WireServerFrame(id: .max, content: content) }

    static func admin(_ reply: WireAdminReply.OneOf_Reply) -> WireServerFrame {
        frame(.admin(.with { $0.reply = reply }))
    }

    static let frames: [(name: String, frame: WireServerFrame)] = {
        let everybody = (0..<PromiseLimits.people).map(userID)
        let overlaps = [WireOverlap](repeating: WireOverlap(promise), count: 20)
        let reply = WirePromiseReply(livePromise(), overlaps: overlaps, outlook: FrameSizeSamples.outlook)
        let result = view().result.map { WireResult($0, card: card) } ?? WireResult()
        let subscribed = WireSubscribed.with {
            ($0.epoch, $0.seq, $0.nextReportMs, $0.snapshot) = (userID(0).wireText, .max, .max, livePromise())
        }
        var link = WireLinkView(view(), endsAt: start, at: start, card: card)
        link.promise = livePromise()
        let linkChanged = WireEvent.OneOf_What.linkViewChanged(.with { $0.view = link })
        let position = WireAdminPosition.with {
            ($0.userID, $0.device) = (userID(0).wireText, .max)
            ($0.fixTime, $0.receivedAt) = (WireTimestamp(start), WireTimestamp(start))
            $0.clockMoved = true
            $0.fix = WireFix(
                Fix(
                    seq: .max,
                    coordinate: promise.place.coordinate,
                    accuracyMetres: 1_234.567_890_123_456_7,
                    speedMps: 12.345_678_901_234_567,
                    isMock: true
                )
            )
        }
        let positions = WireEvent(
            positions: everybody.map(Self.position),
            of: promise.id,
            nextReport: .hours(1),
            at: start
        )
        let presence = WireEvent(
            .presence(.with { $0.presences = view().members.compactMap(\.presence).map { WirePresence($0) } }),
            of: promise.id,
            at: start
        )
        let status = WireEvent(
            .statusChanged(
                .with {
                    ($0.userID, $0.text, $0.emoji) = (userID(0).wireText, text(80), view().members[0].participant.emoji)
                }
            ),
            of: promise.id,
            at: start
        )
        return [
            ("promise", frame(.promise(reply))), ("subscribed", frame(.subscribed(subscribed))),
            ("result", frame(.result(result))), ("linkView", frame(.linkView(link))),
            ("admin promise", admin(.promise(reply))), ("admin watching", admin(.watching(subscribed))),
            ("admin result", admin(.result(result))),
            ("placeDetails", frame(.placeDetails(FrameSizeSamples.wireDetails))),
            ("admin place", admin(.place(WireAdminPlace(FrameSizeSamples.details)))),
            ("admin import", admin(.placeImport(FrameSizeSamples.refusals))),
            ("admin positions", admin(.positions(.with { $0.positions = .init(repeating: position, count: 500) }))),
            (
                "admin breaches",
                admin(
                    .verification(
                        .with {
                            $0.breaches = .init(
                                repeating: .with { ($0.check, $0.detail) = ("participant-in-step", text(40)) },
                                count: 500
                            )
                        }
                    )
                )
            ),
            (
                "admin audit",
                admin(
                    .audit(
                        .with {
                            $0.entries = .init(
                                repeating: .with {
                                    ($0.at, $0.actor, $0.action) = (WireTimestamp(start), text(64), "createPromise")
                                    ($0.subject, $0.detail) = (userID(0).wireText, text(200))
                                },
                                count: 50
                            )
                        }
                    )
                )
            ),
            (
                "admin tokens",
                admin(
                    .tokens(
                        .with {
                            $0.tokens = .init(
                                repeating: .with {
                                    ($0.tokenID, $0.name) = (userID(0).wireText, text(64))
                                    ($0.createdAt, $0.expiresAt) = (WireTimestamp(start), WireTimestamp(start))
                                    ($0.revokedAt, $0.lastUsedAt) = (WireTimestamp(start), WireTimestamp(start))
                                },
                                count: 200
                            )
                        }
                    )
                )
            ),
            ("admin users", admin(.users(users))), ("admin user sessions", admin(.userSessions(userSessions))),
            ("admin sessions", admin(.sessions(.with { $0.sessions = .init(repeating: session, count: 50) }))),
            ("admin health", admin(.health(.with { $0.checks = .init(repeating: check, count: 9) }))),
            ("presence", WireServerFrame(event: presence)), ("statusChanged", WireServerFrame(event: status)),
            ("invited", event(.invited(userID(1)))), ("edited", event(.edited)),
            ("resultFinal", event(.resultFinal)), ("excused", event(.excused(userID(1)))),
            ("cancelled", event(.cancelled(reason: text(200)))), ("late", event(.late(everybody))),
            ("rankingRevised", event(.rankingRevised(everybody.map(arrival), cause: .retraction))),
            ("joined", event(.joined(userID(1)))), ("positions", WireServerFrame(event: positions)),
            ("linkViewChanged", WireServerFrame(event: WireEvent(linkChanged, of: promise.id, at: start))),
        ]
    }()

    /// A page of accounts.
    private static let users = WireAdminUsers.with {
        $0.users = .init(
            repeating: .with {
                ($0.user, $0.email, $0.issuer) = (WireUserCard(card(userID(0))), text(31), text(200))
                ($0.locale, $0.timeZone) = (String(repeating: "x", count: 35), String(repeating: "x", count: 64))
                ($0.createdAt, $0.disabledAt, $0.deletedAt) = (.init(start), .init(start), .init(start))
                ($0.friends, $0.promises, $0.connections) = (.max, .max, .max)
            },
            count: 50
        )
        ($0.cursor, $0.suggestions) = (text(100), .init(repeating: text(200), count: 5))
    }

    /// As many sign-ins as are shown, and as many connections of a user as the settings allow.
    private static let userSessions = WireAdminUserSessions.with {
        $0.signIns = .init(
            repeating: .with {
                ($0.sessionID, $0.createdAt, $0.expiresAt) = (userID(0).wireText, .init(start), .init(start))
            },
            count: 200
        )
        $0.connections = .init(
            repeating: .with {
                ($0.connectionID, $0.address) = (userID(0).wireText, String(repeating: "f", count: 45))
                ($0.client, $0.deviceID) = (String(repeating: "\u{1F642}", count: 194), text(64))
                ($0.connectedAt, $0.codec, $0.subscriptions) = (.init(start), "protobuf", .max)
            },
            count: 100
        )
    }

    private static let session = WireAdminSession.with {
        ($0.promiseID, $0.title, $0.meetsAt) = (promise.id.wireText, text(60), .init(start))
        ($0.accepted, $0.subscribers, $0.fixes, $0.seq, $0.arrivals) = (.max, .max, .max, .max, .max)
        $0.status = .settling
    }

    private static let check = WireAdminHealthCheck.with {
        ($0.name, $0.detail, $0.advice, $0.state) = ("certificate", text(500), text(500), .skipped)
    }

    /// Each kind whose size grows with what people bring about, and which has no pages, is measured here; the compiler wants
    /// to know it of each new one.
    @Test func `every kind of frame is measured, comes in pages, or is always small`() {
        let measured = Set(Self.frames.compactMap { $0.frame.content.map { Size($0) } })
        #expect(measured == Set(Size.Kind.allCases.map { Size.measured($0) }))
    }

    @Test(arguments: frames.map(\.name), WireCodec.allCases)
    func `the largest of each kind fits into a frame`(name: String, codec: WireCodec) throws {
        let frame = try #require(Self.frames.first { $0.name == name }).frame
        let size = try codec.encode(frame).count
        #expect(size <= Self.smallestFrame, "\(name): \(size)")
    }

    @Test func `the texts of the samples are as long as texts may be`() {
        #expect(Self.character.count == 1 && Self.character.utf8.count == 8)
        #expect(Self.text(200).count == 200)
        let wire = Self.livePromise()
        #expect(wire.title == Self.text(60) && wire.note == Self.text(500))
        #expect(wire.participants.count == PromiseLimits.people)
        #expect(wire.participants.allSatisfy { $0.hasPosition && $0.hasPresence && $0.hasArrival && $0.hasEta })
        #expect(wire.participants[0].user.avatar == Self.text(64) && wire.participants[0].statusText == Self.text(80))
        #expect(WireUserCard(Self.card(Self.userID(1))).nickname.utf8.count == 160)
    }

    /// A title of 60 characters may have 480 bytes, an emoji 64.
    @Test(arguments: [(480, 480), (481, 480), (65_000, 480)])
    func `a text that an earlier version stored is cut where it is shown`(stored: Int, shown: Int) {
        var promise = Self.promise
        promise.title = String(repeating: "x", count: stored)
        let wire = WirePromise(promise, status: .scheduled, participants: [], participantCount: 0)
        #expect(wire.title.utf8.count == shown)
        #expect(WireOverlap(promise).title == wire.title)
    }

    @Test func `a text is never cut inside a code point, but inside a character that is too long`() {
        var card = UserCard(id: Self.userID(1), nickname: "x" + String(repeating: "가", count: 60))
        #expect(WireUserCard(card).nickname == "x" + String(repeating: "가", count: 53))
        card.nickname = "e" + String(repeating: "\u{301}", count: 4_000)
        #expect(WireUserCard(card).nickname.utf8.count == 159)
    }

    @Test func `of a promise with more people than there may be those are shown who matter`() throws {
        var view = Self.view(people: PromiseLimits.people + 2)
        view.members[0].participant.membership = .declined
        view.members[1].participant.membership = .declined
        let wire = WirePromise(view, detail: .live, card: Self.card)
        #expect(wire.participants.map(\.user.userID) == (2..<82).map { Self.userID($0).wireText })
        view.members.removeLast()
        let fewer = WirePromise(view, detail: .live, card: Self.card)
        #expect(fewer.participants.map(\.user.userID) == (Array(2..<81) + [0]).map { Self.userID($0).wireText })
        let result = try #require(Self.view(people: PromiseLimits.people + 1).result)
        #expect(WireResult(result, card: Self.card).rows.count == PromiseLimits.people)
    }
}

/// What keeps the frames of a kind within the limit.
private enum Size: Hashable {
    /// The largest one fits, see ``FrameSizeTests/frames``.
    case measured(Kind)
    /// It ends early, with a cursor, or shows fewer and larger clusters.
    case paged
    /// It lists what the operator has configured or imported, a short entry for each.
    case listed
    /// It holds a few short texts, or few numbers for each fix of a report.
    case small

    enum Kind: CaseIterable {
        // Replies.
        case promise, subscribed, result, linkView, placeDetails
        // Replies to administrators.
        case users, userSessions, administeredPromise, watching, administeredResult, keptPositions, sessions, audit,
            health,
            verification, tokens, administeredPlace, placeImport
        // Events.
        case positions, presence, statusChanged, rankingRevised, invited, joined, edited, cancelled, late, resultFinal,
            excused, linkViewChanged
    }

    init(_ content: WireContent) {
        switch content {
        case .event(let event): self = event.what.map { Size($0) } ?? .small
        case .admin(let reply): self = reply.reply.map { Size($0) } ?? .small
        case .promise: self = .measured(.promise)
        case .subscribed: self = .measured(.subscribed)
        case .result: self = .measured(.result)
        case .linkView: self = .measured(.linkView)
        case .placeDetails: self = .measured(.placeDetails)
        case .friends, .friendRequests, .promises, .explanation, .placeView, .places, .favourites, .notifications:
            self = .paged
        case .categories, .regions: self = .listed
        case .error, .done, .reported, .clock, .welcome, .session, .me, .userCard, .profile, .friendship, .invite,
            .arrival, .checkInCode, .statistics, .viewLink, .favourite, .outlook, .shareText, .notificationSettings:
            self = .small
        }
    }

    init(_ reply: WireAdminReply.OneOf_Reply) {
        switch reply {
        case .users: self = .measured(.users)
        case .userSessions: self = .measured(.userSessions)
        case .promise: self = .measured(.administeredPromise)
        case .watching: self = .measured(.watching)
        case .result: self = .measured(.administeredResult)
        case .positions: self = .measured(.keptPositions)
        case .sessions: self = .measured(.sessions)
        case .audit: self = .measured(.audit)
        case .health: self = .measured(.health)
        case .verification: self = .measured(.verification)
        case .tokens: self = .measured(.tokens)
        case .place: self = .measured(.administeredPlace)
        case .placeImport: self = .measured(.placeImport)
        case .friends, .friendRequests, .promises, .explanation, .places: self = .paged
        case .sources: self = .listed
        case .done, .user, .password, .kicked, .session, .stats, .backup, .newToken, .removedPlaces, .weatherStatus,
            .outlook:
            self = .small
        }
    }

    init(_ event: WireEvent.OneOf_What) {
        switch event {
        case .positions: self = .measured(.positions)
        case .presence: self = .measured(.presence)
        case .statusChanged: self = .measured(.statusChanged)
        case .rankingRevised: self = .measured(.rankingRevised)
        case .invited: self = .measured(.invited)
        case .joined: self = .measured(.joined)
        case .edited: self = .measured(.edited)
        case .cancelled: self = .measured(.cancelled)
        case .late: self = .measured(.late)
        case .resultFinal: self = .measured(.resultFinal)
        case .excused: self = .measured(.excused)
        case .linkViewChanged: self = .measured(.linkViewChanged)
        case .eta, .pace, .sharingChanged, .nudged, .arrived, .arrivalConfirmed, .arrivalRetracted, .declined,
            .left, .removed, .handedOver, .trackingStarted, .meetingTime, .trackingEnded, .friendRequested,
            .friendAdded, .friendRemoved, .statisticsChanged, .sessionRevoked, .viewLinkCreated, .viewLinkRevoked,
            .viewersChanged, .linkSharingChanged, .weatherChanged, .notification, .outlookReady:
            self = .small
        }
    }
}
