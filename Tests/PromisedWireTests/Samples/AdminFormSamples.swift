import Foundation
import PromisedProtocol
import SwiftProtobuf

/// One administrator's form of each kind, with every field filled.
enum AdminFormSamples {
    typealias Form = WireAdminRequest.OneOf_Request

    private typealias Values = SampleValues
    private static let user = Values.userID
    private static let other = Values.otherUserID
    private static let promise = Values.promiseID

    static let all: [Form] = accounts + friends + promises + server + PlaceSamples.forms + courses

    private static let accounts: [Form] = [
        .findUsers(.with { $0.name = "ada@example.org" }),
        .listUsers(
            .with {
                $0.text = "ad"
                $0.disabled = true
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .showUser(.with { $0.userID = user }),
        .createUser(
            .with {
                $0.email = "ada@example.org"
                $0.password = "correct horse"
                $0.nickname = "ada"
                $0.checkOnly = true
            }
        ),
        .disableUser(.with { $0.userID = user }),
        .enableUser(.with { $0.userID = user }),
        .resetPassword(
            .with {
                $0.userID = user
                $0.password = "another horse"
            }
        ),
        .deleteUser(.with { $0.userID = user }),
        .listUserSessions(.with { $0.userID = user }),
        .kickUser(
            .with {
                $0.userID = user
                $0.signOut = true
            }
        ),
    ]

    private static let friends: [Form] = [
        .listFriends(
            .with {
                $0.userID = user
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .listFriendRequests(
            .with {
                $0.userID = user
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .addFriends(
            .with {
                $0.userID = user
                $0.otherID = other
            }
        ),
        .removeFriends(
            .with {
                $0.userID = user
                $0.otherID = other
            }
        ),
        .blockUser(
            .with {
                $0.userID = user
                $0.otherID = other
            }
        ),
        .unblockUser(
            .with {
                $0.userID = user
                $0.otherID = other
            }
        ),
    ]

    private static let courses: [Form] = [
        .getFileStatistics(WireAdminGetFileStatistics()),
        .listRecommendedCourses(
            .with {
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .importRecommendedCourse(
            .with {
                $0.key = "k1"
                $0.title = "Round the palace"
                $0.region = "KR-11/종로구"
                $0.sourceName = "Seoul"
                $0.licence = "KOGL 1"
                $0.activity = .walk
                $0.url = "https://example.org/palace"
                $0.bytes = 90_000
                $0.offset = 45_000
                $0.data = Data("<trkpt/>".utf8)
            }
        ),
        .removeRecommendedCourse(.with { $0.courseID = promise }),
    ]

    private static let promises: [Form] = [
        .listPromises(
            .with {
                $0.userID = user
                $0.status = .tracking
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .showPromise(.with { $0.promiseID = promise }),
        .createPromise(
            .with {
                $0.ownerID = user
                $0.promise.key = "k1"
                $0.promise.title = "Dinner"
                $0.promise.place = Values.place
                $0.promise.meetsAt = Values.timestamp()
                $0.promise.inviteeIds = [other]
            }
        ),
        .editPromise(
            .with {
                $0.promiseID = promise
                $0.version = 3
                $0.title = "Supper"
            }
        ),
        .cancelPromise(
            .with {
                $0.promiseID = promise
                $0.reason = "Storm"
            }
        ),
        .watchPromise(.with { $0.promiseID = promise }),
        .unwatchPromise(.with { $0.promiseID = promise }),
        .getResult(.with { $0.promiseID = promise }),
        .explainArrival(
            .with {
                $0.promiseID = promise
                $0.userID = user
                $0.cursor = "500"
            }
        ),
        .excuse(
            .with {
                $0.promiseID = promise
                $0.userID = user
                $0.reason = "A strike"
            }
        ),
        .exportPositions(
            .with {
                $0.promiseID = promise
                $0.cursor = "c1"
                $0.limit = 500
            }
        ),
    ]

    private static let server: [Form] = [
        .listSessions(
            .with {
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .showSession(.with { $0.promiseID = promise }),
        .getStats(WireAdminGetStats()),
        .listAudit(
            .with {
                $0.since = Values.timestamp()
                $0.cursor = "c1"
                $0.limit = 20
            }
        ),
        .checkHealth(WireAdminCheckHealth()),
        .backUp(.with { $0.path = "/var/backups/promised.sqlite" }),
        .verify(WireAdminVerify()),
        .createToken(
            .with {
                $0.name = "Grafana"
                $0.validMs = 2_592_000_000
            }
        ),
        .listTokens(WireAdminListTokens()),
        .revokeToken(.with { $0.tokenID = other }),
    ]
}
