import Foundation
import PromisedDomain
import PromisedJournal
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

/// The largest indivisible frames of each kind, of the longest texts and the most participants.
enum LargestFrames {
    /// A character of 8 bytes, one of which takes two in JSON.
    static let character = "\"\u{20D0}\u{301}\u{302}"
    static let start = Instant(milliseconds: 1_795_251_600_123)

    static func text(_ characters: Int) -> String { String(repeating: character, count: characters) }

    static func userID(_ number: Int) -> UserID {
        UserID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000 + UInt64(number))
    }

    /// Letters cannot be quotation marks, so a nickname does not grow in JSON.
    static func card(_ userID: UserID) -> UserCard {
        UserCard(
            id: userID,
            nickname: String(repeating: "e\u{20D0}\u{20D0}\u{327}", count: 20),
            avatar: text(64),
            picture: PictureID(high: .max, low: .max)
        )
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

    /// A promise as seen by participants on the way, with positions, which only a session has.
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

    static let all: [(name: String, frame: WireServerFrame)] = {
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
            $0.otherClock = true
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
            positions: everybody.map(LargestFrames.position),
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
            ("placeDetails", frame(.placeDetails(FrameSizeSamples.wireDetails))), ("visit", frame(.visit(visit))),
            ("course", frame(.course(course))),
            ("fileChunk", frame(.fileChunk(chunk))),
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

    /// A course with the longest texts and lists.
    private static let course = WireCourse.with {
        $0 = CourseSamples.course
        ($0.title, $0.memo) = (text(CourseLimits.title.upperBound), text(CourseLimits.memo))
        // 200 points, each at most 12 characters, in as many segments as possible.
        $0.outlines = .init(repeating: String(repeating: "_", count: 24), count: 100)
        $0.waypoints = .init(
            repeating: .with {
                ($0.name, $0.place.name) = (text(CourseLimits.waypointName), text(CourseLimits.waypointName))
                ($0.place.latitude, $0.place.longitude) = (37.123_456_789_012_345, 126.123_456_789_012_345)
                ($0.kind, $0.atMetres) = (.start, 12_345.678_901_234_567)
            },
            count: CourseWaypoint.limit
        )
        $0.stops = .init(
            repeating: .with {
                $0.place = WirePlace(Place(name: promise.place.name, coordinate: promise.place.coordinate))
                ($0.from, $0.to) = (WireTimestamp(start), WireTimestamp(start))
            },
            count: CourseStop.limit
        )
        $0.photos = visit.photos
        $0.people = .init(repeating: WireUserCard(card(userID(1))), count: CourseLimits.people)
    }

    /// A visit with the longest texts, photos and companions.
    private static let visit = WireVisit.with {
        $0 = VisitSamples.visit
        $0.place = WirePlace(promise.place)
        ($0.title, $0.memo) = (text(VisitLimits.title), text(VisitLimits.memo))
        $0.photos = .init(
            repeating: .with { ($0.photoID, $0.file, $0.caption) = (userID(0).wireText, VisitSamples.file, text(100)) },
            count: Photo.most
        )
        $0.companions = .init(repeating: .with { $0.user = WireUserCard(card(userID(1))) }, count: Companion.most)
        $0.user = WireUserCard(card(userID(0)))
    }

    /// A piece of a file.
    private static let chunk = WireFileChunk.with {
        ($0.fileID, $0.contentType) = (userID(0).wireText, "application/gpx+xml")
        $0.data = Data(repeating: 0xFF, count: StoredFile.mostRead)
        ($0.offset, $0.bytes) = (16_777_215, 16_777_216)
    }

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

    /// The maximum number of shown sign-ins, and of a user's connections.
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
}
