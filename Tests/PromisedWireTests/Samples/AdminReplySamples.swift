import PromisedProtocol
import SwiftProtobuf

/// One reply to an administrator's form of each kind; messages that users receive too are filled in their own samples.
enum AdminReplySamples {
    typealias Reply = WireAdminReply.OneOf_Reply

    private typealias Values = SampleValues

    static let all: [Reply] = accounts + promises + server + operations + PlaceSamples.replies + courses

    private static let user = WireAdminUser.with {
        $0.user = Values.card
        $0.email = "ada@example.org"
        $0.createdAt = Values.timestamp(1)
        $0.disabledAt = Values.timestamp(2)
        $0.deletedAt = Values.timestamp(3)
        $0.issuer = "https://issuer.example"
        $0.locale = "ko-KR"
        $0.timeZone = "Asia/Seoul"
        $0.friends = 3
        $0.promises = 2
        $0.connections = 1
        $0.statistics = Values.statistics
    }

    private static let session = WireAdminSession.with {
        $0.promiseID = Values.promiseID
        $0.title = "Dinner"
        $0.meetsAt = Values.timestamp()
        $0.status = .tracking
        $0.accepted = 3
        $0.subscribers = 2
        $0.fixes = 40
        $0.seq = 12
        $0.arrivals = 1
    }

    private static let token = WireAdminToken.with {
        $0.tokenID = Values.otherUserID
        $0.name = "Grafana"
        $0.createdAt = Values.timestamp(1)
        $0.expiresAt = Values.timestamp(2)
        $0.revokedAt = Values.timestamp(3)
        $0.lastUsedAt = Values.timestamp(4)
    }

    private static let course = WireAdminCourse.with {
        $0.courseID = Values.promiseID
        $0.title = "Round the palace"
        $0.region = "KR-11/종로구"
        $0.sourceName = "Seoul"
        $0.licence = "KOGL 1"
        $0.activity = .walk
        $0.distanceMetres = 3_210.5
        $0.points = 160
        $0.addedAt = Values.timestamp(1)
    }

    private static let courses: [Reply] = [
        .fileStatistics(
            .with {
                $0.files = [
                    .with {
                        $0.kind = .photo
                        $0.count = 12
                        $0.bytes = 3_500_000
                    }
                ]
                $0.users = 7
                $0.uploads = 1
                $0.freeBytes = 0
                $0.recordings = [
                    .with {
                        $0.state = .interrupted
                        $0.count = 2
                    }
                ]
                $0.courses = [
                    .with {
                        $0.source = .operator
                        $0.count = 5
                    }
                ]
                $0.points = 12_345
                $0.exports = 1
            }
        ),
        .courses(
            .with {
                $0.courses = [course]
                $0.cursor = "c1"
            }
        ),
        .courseImport(
            .with {
                $0.offset = 90_000
                $0.course = course
            }
        ),
    ]

    private static let accounts: [Reply] = [
        .done(WireAdminDone()),
        .users(
            .with {
                $0.users = [user]
                $0.cursor = "c1"
                $0.suggestions = ["adele"]
            }
        ),
        .user(user),
        .password(.with { $0.password = "abcde-fghjk" }),
        .userSessions(
            .with {
                $0.signIns = [
                    .with {
                        $0.sessionID = Values.otherUserID
                        $0.createdAt = Values.timestamp(1)
                        $0.expiresAt = Values.timestamp(2)
                    }
                ]
                $0.connections = [
                    .with {
                        $0.connectionID = "c-42"
                        $0.address = "203.0.113.7"
                        $0.client = "app 1.0"
                        $0.deviceID = "phone"
                        $0.connectedAt = Values.timestamp(3)
                        $0.codec = "json"
                        $0.subscriptions = 2
                    }
                ]
            }
        ),
        .kicked(
            .with {
                $0.connections = 2
                $0.signIns = 1
            }
        ),
        .friends(.with { $0.users = [Values.card] }),
        .friendRequests(.with { $0.incoming = [Values.card] }),
    ]

    private static let promises: [Reply] = [
        .promise(.with { $0.promise.promiseID = Values.promiseID }),
        .promises(.with { $0.cursor = "c1" }),
        .watching(
            .with {
                $0.epoch = "e1"
                $0.seq = 12
                $0.snapshot.promiseID = Values.promiseID
            }
        ),
        .result(.with { $0.promiseID = Values.promiseID }),
        .explanation(.with { $0.cursor = "500" }),
        .positions(
            .with {
                $0.positions = [
                    .with {
                        $0.userID = Values.userID
                        $0.device = 1
                        $0.fix = Values.fix
                        $0.fixTime = Values.timestamp(1)
                        $0.receivedAt = Values.timestamp(2)
                        $0.clockMoved = true
                        $0.otherClock = true
                    }
                ]
                $0.cursor = "c1"
            }
        ),
        .sessions(
            .with {
                $0.sessions = [session]
                $0.cursor = "c1"
            }
        ),
        .session(session),
    ]

    private static let server: [Reply] = [
        .stats(
            .with {
                $0.users = 100
                $0.promises = [
                    .with {
                        $0.status = .final
                        $0.count = 7
                    }
                ]
                $0.liveSessions = 3
                $0.connections = 12
                $0.reportsPerSecond = 2.5
                $0.deliveriesPerSecond = 22.5
                $0.requestsPerSecond = 3.5
                $0.commitMedianMs = 0
                $0.commitP99Ms = 12.25
                $0.uptimeMs = 60_000
                $0.version = "1.0.0"
                $0.databaseBytes = 409_600
                $0.memoryBytes = 50_000_000
                $0.files = 12
                $0.fileBytes = 3_500_000
                $0.recordings = 2
                $0.courses = 5
                $0.exports = 1
                $0.job = .with {
                    $0.form = "verify"
                    $0.startedAt = Values.timestamp()
                    $0.progress = 0.5
                }
            }
        ),
        .audit(
            .with {
                $0.entries = [
                    .with {
                        $0.at = Values.timestamp()
                        $0.actor = "Grafana"
                        $0.action = "disableUser"
                        $0.subject = Values.userID
                        $0.detail = "spam"
                    }
                ]
                $0.cursor = "c1"
            }
        ),
        .health(
            .with {
                $0.checks = [
                    .with {
                        $0.name = "disk"
                        $0.state = .warning
                        $0.detail = "900 MiB of 40 GiB are free."
                        $0.advice = "Make room."
                    }
                ]
            }
        ),
    ]

    private static let operations: [Reply] = [
        .backup(
            .with {
                $0.path = "/var/backups/promised.sqlite"
                $0.bytes = 409_600
                $0.startedAt = Values.timestamp()
                $0.tookMs = 12.5
            }
        ),
        .verification(
            .with {
                $0.breaches = [
                    .with {
                        $0.check = "events-gapless"
                        $0.detail = "01"
                    }
                ]
                $0.tookMs = 3
                $0.erasing = [
                    .with {
                        $0.kind = "account"
                        $0.id = "01932a4e-0000-7000-8000-0000000000b1"
                        $0.deletedAt = Values.timestamp()
                        $0.left = 12
                    }
                ]
            }
        ),
        .newToken(
            .with {
                $0.secret = "promised_admin_x"
                $0.token = token
            }
        ),
        .tokens(.with { $0.tokens = [token] }),
    ]
}
