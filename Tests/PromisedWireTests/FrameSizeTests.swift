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
        let reply = WirePromiseReply(livePromise(), overlaps: overlaps)
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
        return [
            ("promise", frame(.promise(reply))), ("subscribed", frame(.subscribed(subscribed))),
            ("result", frame(.result(result))), ("linkView", frame(.linkView(link))),
            ("admin promise", admin(.promise(reply))), ("admin watching", admin(.watching(subscribed))),
            ("admin result", admin(.result(result))),
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
            ("invited", event(.invited(userID(1)))), ("edited", event(.edited)),
            ("resultFinal", event(.resultFinal)), ("excused", event(.excused(userID(1)))),
            ("cancelled", event(.cancelled(reason: text(200)))), ("late", event(.late(everybody))),
            ("rankingRevised", event(.rankingRevised(everybody.map(arrival), cause: .retraction))),
            ("joined", event(.joined(userID(1)))), ("positions", WireServerFrame(event: positions)),
            ("linkViewChanged", WireServerFrame(event: WireEvent(linkChanged, of: promise.id, at: start))),
        ]
    }()

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
