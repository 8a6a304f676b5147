import PromisedProtocol
import SwiftProtobuf

/// One reply of each kind and an error, with every field filled.
enum ContentSamples {
    private typealias Values = SampleValues

    static let all: [WireContent] =
        accounts + friends + promises + positions + outcomes + LinkSamples.contents + PlaceSamples.contents
        + NotificationSamples.contents + VisitSamples.contents + CourseSamples.contents

    private static let accounts: [WireContent] = [
        .error(WireErrorReply(.promiseNotFound, retry: .later, retryAfterMs: 1_500, field: "promiseId")),
        .done(WireDone()),
        .welcome(
            .with {
                $0.user = Values.card
                $0.serverTime = Values.timestamp(1)
                $0.connectionID = "c-42"
                $0.pingIntervalMs = 20_000
                $0.reportIntervalMs = 5_000
                $0.unread.friendRequests = 2
                $0.unread.invitations = 1
                $0.unread.notifications = 3
            }
        ),
        .session(
            .with {
                $0.accessToken = "header.claims.signature"
                $0.accessExpiresAt = Values.timestamp(900_000)
                $0.refreshToken = "refresh-1"
                $0.user = Values.card
            }
        ),
        .me(
            .with {
                $0.user = Values.card
                $0.email = "ada@example.org"
                $0.locale = "ko-KR"
                $0.timeZone = "Asia/Seoul"
                $0.statistics = Values.statistics
                $0.visitsFromArrivals = true
            }
        ),
        .nickname(
            .with {
                $0.nickname = "ada_2"
                $0.free = true
            }
        ),
        .sessions(
            .with {
                $0.sessions = [
                    .with {
                        $0.sessionID = "01932a4e-0000-7000-8000-0000000000e1"
                        $0.createdAt = Values.timestamp(1)
                        $0.expiresAt = Values.timestamp(86_400_000)
                        $0.current = true
                        $0.client = "promised-page 1.0 (web)"
                    }
                ]
            }
        ),
        .userCard(Values.card),
        .profile(
            .with {
                $0.user = Values.card
                $0.statistics = Values.statistics
            }
        ),
        .statistics(Values.statistics),
        .admin(.with { $0.done = WireAdminDone() }),
    ]

    private static let friends: [WireContent] = [
        .friends(
            .with {
                $0.users = [Values.card, Values.otherCard]
                $0.cursor = "c1"
            }
        ),
        .friendRequests(
            .with {
                $0.incoming = [Values.card]
                $0.outgoing = [Values.otherCard]
                $0.cursor = "c2"
            }
        ),
        .friendship(
            .with {
                $0.user = Values.otherCard
                $0.state = .requestedByThem
            }
        ),
    ]

    private static let promises: [WireContent] = [
        .promise(
            .with {
                $0.promise = Values.promise
                $0.outlook = PlaceSamples.outlook
                $0.overlaps = [
                    .with {
                        $0.promiseID = Values.otherPromiseID
                        $0.title = "Coffee"
                        $0.meetsAt = Values.timestamp(1_800_000)
                    }
                ]
            }
        ),
        .promises(
            .with {
                $0.promises = [Values.promise]
                $0.cursor = "c3"
            }
        ),
        .invite(
            .with {
                $0.code = "K7M2Q9XW4T"
                $0.expiresAt = Values.timestamp(86_400_000)
            }
        ),
        .subscribed(
            .with {
                $0.epoch = "e1"
                $0.seq = 12
                $0.snapshot = Values.promise
                $0.missed = [EventSamples.all[1]]
                $0.nextReportMs = 5_000
            }
        ),
    ]

    private static let positions: [WireContent] = [
        .reported(
            .with {
                $0.taken = [16, 17]
                $0.rejected = [
                    .with {
                        $0.seq = 18
                        $0.code = ErrorCode.positionInvalid.rawValue
                    }
                ]
                $0.nextReportMs = 5_000
            }
        ),
        .clock(
            .with {
                $0.uptimeMs = 0
                $0.clientTimeMs = 1_795_251_600_000.5
                $0.receivedAt = Values.timestamp(20)
                $0.sentAt = Values.timestamp(21)
            }
        ),
    ]

    private static let outcomes: [WireContent] = [
        .arrival(Values.arrival),
        .checkInCode(
            .with {
                $0.code = "042137"
                $0.expiresAt = Values.timestamp(60_000)
            }
        ),
        .result(Values.result),
        .explanation(explanation),
    ]

    private static let noArrival = WireNoArrival.with {
        $0.reason = .passed
        $0.deviceID = "device-1"
        $0.limitMetres = 70
        $0.accepted = 44
        $0.inside = 4
        $0.outside = 2
        $0.unusable = 38
        $0.unusableInside = 36
        $0.covered = 3
        $0.dropped = 1
        $0.refused = [
            .with {
                $0.code = ErrorCode.positionMock.rawValue
                $0.count = 5
            }
        ]
        $0.leastErrorMetres = 82.5
        $0.nearestMetres = 28.25
        $0.nearestErrorMetres = 12.5
        $0.nearestAt = Values.timestamp(-59_000)
        $0.insideMs = 40_000
        $0.lastAt = Values.timestamp(60_000)
        $0.retraction.creditedAt = Values.timestamp(-61_500)
        $0.retraction.at = Values.timestamp(-19_000)
        $0.retraction.cause = .passed
        $0.radiusMetres = 50
    }

    private static let explanation = WireExplanation.with {
        $0.promiseID = Values.promiseID
        $0.user = Values.card
        $0.rule = Values.rule
        $0.arrival = Values.arrival
        $0.clause = .lingering
        $0.deviceID = "device-1"
        $0.provisionalAt = Values.timestamp(-30_000)
        $0.confirmedAt = Values.timestamp(90_000)
        $0.crossing.outsideAt = Values.timestamp(-64_000)
        $0.crossing.outsideDistanceMetres = 71.5
        $0.crossing.insideAt = Values.timestamp(-59_000)
        $0.crossing.insideDistanceMetres = 28.25
        $0.crossing.outsideErrorMetres = 12.5
        $0.crossing.insideErrorMetres = 8
        $0.crossing.uncertaintyMs = 1_445
        $0.fixes = [
            .with {
                $0.seq = 17
                $0.deviceID = "device-1"
                $0.fixTime = Values.timestamp(-59_000)
                $0.receivedAt = Values.timestamp(-58_000)
                $0.latitude = 37.576
                $0.longitude = 126.976_9
                $0.errorMetres = 12.5
                $0.distanceMetres = 28.25
                $0.speedMps = 1.5
                $0.use = .strong
                $0.code = ErrorCode.positionMock.rawValue
                $0.clockMoved = true
                $0.otherClock = true
                $0.limitMetres = 70
            }
        ]
        $0.revisions = [
            .with {
                $0.at = Values.timestamp(5_000)
                $0.cause = "backfill"
                $0.arrival = Values.arrival
            }
        ]
        $0.cursor = "c4"
        $0.ruleVersion = 2
        $0.noArrival = noArrival
        $0.hold.since = Values.timestamp(-20_000)
        $0.hold.lastAt = Values.timestamp(-10_000)
        $0.hold.distanceMetres = 62.5
        $0.hold.errorMetres = 8
        $0.hold.decidedAt = Values.timestamp(270_000)
        $0.cameTogether = [
            .with {
                $0.user = Values.card
                $0.medianDistanceMetres = 9.25
                $0.limitMetres = 42.5
                $0.moments = 48
                $0.creditedAt = Values.timestamp(-61_500)
            }
        ]
    }
}
