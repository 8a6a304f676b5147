import PromisedProtocol
import SwiftProtobuf

/// One request of each kind, with every field filled.
enum RequestSamples {
    private typealias Values = SampleValues

    static let all: [WireRequest] =
        positions + accounts + friends + promises + outcomes + LinkSamples.requests + PlaceSamples.requests
        + NotificationSamples.requests + VisitSamples.requests + CourseSamples.requests

    private static let positions: [WireRequest] = [
        .report(
            .with {
                $0.promiseID = Values.promiseID
                $0.fixes = [Values.fix]
                $0.uptimeMs = 123_457_000
                $0.sentAt = Values.timestamp(500)
            }
        ),
        .syncClock(
            .with {
                $0.uptimeMs = 123_457_000
                $0.clientTimeMs = 1_795_251_600_000.5
            }
        ),
        .reportTrouble(
            .with {
                $0.promiseID = Values.promiseID
                $0.cause = .permission
                $0.batteryPercent = 0
            }
        ),
        .setSharing(
            .with {
                $0.promiseID = Values.promiseID
                $0.on = true
            }
        ),
        .setStatus(
            .with {
                $0.promiseID = Values.promiseID
                $0.text = ""
                $0.emoji = "🏃🏽"
            }
        ),
    ]

    private static let accounts: [WireRequest] = [
        .hello(
            .with {
                $0.token = "header.claims.signature"
                $0.client.name = "promised-ios"
                $0.client.version = "1.2.3"
                $0.client.platform = "iOS 26"
                $0.deviceID = "device-1"
                $0.bootID = "boot-1"
                $0.strict = true
            }
        ),
        .signUp(
            .with {
                $0.email = "ada@example.org"
                $0.password = "correct horse battery"
                $0.nickname = "ada"
                $0.deviceSecret = "4f1c9a77d0be4c1e9d5a0f5e8c3b2a10"
            }
        ),
        .signIn(
            .with {
                $0.email = "ada@example.org"
                $0.password = "correct horse battery"
                $0.deviceSecret = "4f1c9a77d0be4c1e9d5a0f5e8c3b2a10"
            }
        ),
        .checkNickname(.with { $0.nickname = "ada_2" }),
        .refresh(.with { $0.refreshToken = "refresh-1" }),
        .listSessions(WireListSessions()),
        .endSession(.with { $0.sessionID = "01932a4e-0000-7000-8000-0000000000e1" }),
        .signOut(WireSignOut()),
        .changePassword(
            .with {
                $0.oldPassword = "correct horse battery"
                $0.newPassword = "wrong donkey socket"
            }
        ),
        .deleteAccount(.with { $0.password = "wrong donkey socket" }),
        .getMe(WireGetMe()),
        .updateMe(
            .with {
                $0.nickname = "ada_2"
                $0.avatar = ""
                $0.locale = "ko-KR"
                $0.timeZone = "Asia/Seoul"
                $0.visitsFromArrivals = false
                $0.pictureFileID = "01932a4e-0000-7000-8000-0000000000e2"
            }
        ),
        .findUser(.with { $0.nickname = "ada" }),
        .getProfile(.with { $0.userID = Values.otherUserID }),
        .getStatistics(.with { $0.userID = Values.otherUserID }),
        .admin(.with { $0.getStats = WireAdminGetStats() }),
    ]

    private static let friends: [WireRequest] = [
        .listFriends(
            .with {
                $0.cursor = "c1"
                $0.limit = 50
            }
        ),
        .listFriendRequests(
            .with {
                $0.cursor = "c2"
                $0.limit = 1
            }
        ),
        .requestFriend(
            .with {
                $0.userID = Values.otherUserID
                $0.nickname = "ada"
            }
        ),
        .cancelFriendRequest(.with { $0.userID = Values.otherUserID }),
        .acceptFriend(.with { $0.userID = Values.otherUserID }),
        .rejectFriend(.with { $0.userID = Values.otherUserID }),
        .removeFriend(.with { $0.userID = Values.otherUserID }),
        .blockUser(.with { $0.userID = Values.otherUserID }),
        .unblockUser(.with { $0.userID = Values.otherUserID }),
    ]

    private static let promises: [WireRequest] = [
        .createPromise(
            .with {
                $0.courseID = "01932a4e-0000-7000-8000-0000000000f1"
                $0.preview = .place
                $0.key = "key-1"
                $0.title = "Lunch"
                $0.note = ""
                $0.place = Values.place
                $0.meetsAt = Values.timestamp()
                $0.radiusMetres = 50
                $0.penalty = Values.penalty
                $0.rule = Values.rule
                $0.inviteeIds = [Values.userID, Values.otherUserID]
            }
        ),
        .updatePromise(
            .with {
                $0.courseID = "01932a4e-0000-7000-8000-0000000000f1"
                $0.preview = .place
                $0.promiseID = Values.promiseID
                $0.version = 3
                $0.title = "Dinner"
                $0.note = ""
                $0.place = Values.place
                $0.meetsAt = Values.timestamp(3_600_000)
                $0.radiusMetres = 500
                $0.penalty = Values.penalty
                $0.invite = [Values.otherUserID]
                $0.remove = [Values.userID]
            }
        ),
        .cancelPromise(
            .with {
                $0.promiseID = Values.promiseID
                $0.reason = "Rain"
            }
        ),
        .leavePromise(.with { $0.promiseID = Values.promiseID }),
        .handOver(
            .with {
                $0.promiseID = Values.promiseID
                $0.userID = Values.otherUserID
            }
        ),
        .respond(
            .with {
                $0.promiseID = Values.promiseID
                $0.accept = true
            }
        ),
        .createInvite(
            .with {
                $0.promiseID = Values.promiseID
                $0.expiresInMs = 86_400_000
            }
        ),
        .revokeInvite(.with { $0.promiseID = Values.promiseID }),
        .joinByCode(.with { $0.code = "K7M2Q9XW4T" }),
        .getPromise(.with { $0.promiseID = Values.promiseID }),
        .listPromises(
            .with {
                $0.list = .upcoming
                $0.cursor = "c3"
                $0.limit = 20
            }
        ),
        .subscribe(
            .with {
                $0.promiseID = Values.promiseID
                $0.epoch = "e1"
                $0.lastSeq = 0
            }
        ),
        .unsubscribe(.with { $0.promiseID = Values.promiseID }),
    ]

    private static let outcomes: [WireRequest] = [
        .checkIn(
            .with {
                $0.promiseID = Values.promiseID
                $0.code = "042137"
            }
        ),
        .getCheckInCode(.with { $0.promiseID = Values.promiseID }),
        .nudge(
            .with {
                $0.promiseID = Values.promiseID
                $0.userID = Values.otherUserID
            }
        ),
        .getResult(.with { $0.promiseID = Values.promiseID }),
        .explainArrival(
            .with {
                $0.promiseID = Values.promiseID
                $0.userID = Values.otherUserID
                $0.cursor = "c4"
            }
        ),
        .excuse(
            .with {
                $0.promiseID = Values.promiseID
                $0.userID = Values.otherUserID
                $0.reason = "The train was late"
            }
        ),
    ]
}
