import PromisedProtocol

/// The codes with which each request may be refused, beside those that any request may meet.
///
/// `DocumentedRefusals` in the server's tests looks at every refusal that a test sees and fails when it is not named here.
enum RequestErrors {
    /// Codes that may answer any request.
    static let common: [ErrorCode] = [
        .authRequired, .authForbidden, .authTokenInvalid, .requestUnknown, .requestUnsupported, .requestTooLarge,
        .limitRate, .serverUnavailable, .serverInternal,
    ]

    /// Codes that a single fix of a report may be refused with.
    static let ofFixes: [ErrorCode] = [
        .positionInvalid, .positionMock, .positionInFuture, .positionOutsideWindow, .positionLimit,
    ]

    /// The codes of a request's own, in the order of ``ErrorCode``; nil for a request that the table misses.
    static func own(_ request: String) -> [ErrorCode]? {
        table[request].map { named in ErrorCode.allCases.filter(named.contains) }
    }

    private static let table: [String: Set<ErrorCode>] = accounts.merging(friends) { first, _ in first }
        .merging(promises) { first, _ in first }.merging(live) { first, _ in first }

    private static let accounts: [String: Set<ErrorCode>] = [
        "hello": [.requestInvalid],
        "signUp": [.authLocalAccountsOff, .requestInvalid, .limitAttempts, .userEmailTaken, .userNicknameTaken],
        "signIn": [.authLocalAccountsOff, .authInvalidCredentials, .requestInvalid, .limitAttempts],
        "refresh": [.authLocalAccountsOff],
        "exchangeCode": [.authLocalAccountsOff, .codeInvalid, .limitAttempts],
        "signOut": [],
        "changePassword": [.authLocalAccountsOff, .authInvalidCredentials, .requestInvalid, .limitAttempts],
        "deleteAccount": [.authInvalidCredentials, .requestInvalid, .limitAttempts],
        "getMe": [],
        "updateMe": [.requestInvalid, .limitAttempts, .userNicknameTaken],
        "findUser": [.userNotFound, .limitAttempts],
        "getProfile": [.requestInvalid, .userNotFound],
        "getStatistics": [.requestInvalid, .userNotFound],
        // What the forms do is refused as it is to users.
        "admin": Set(ErrorCode.allCases).subtracting(common + [.authInvalidCredentials]),
    ]

    private static let friends: [String: Set<ErrorCode>] = [
        "listFriends": [.requestInvalid],
        "listFriendRequests": [.requestInvalid],
        "requestFriend": [
            .requestInvalid, .limitAttempts, .userNotFound, .friendSelf, .friendBlocked, .friendAlready,
            .friendAlreadyRequested, .friendLimit,
        ],
        "cancelFriendRequest": [.requestInvalid, .userNotFound, .friendSelf, .friendAlready, .friendNoRequest],
        "acceptFriend": [
            .requestInvalid, .userNotFound, .friendSelf, .friendAlready, .friendNoRequest, .friendLimit,
        ],
        "rejectFriend": [.requestInvalid, .userNotFound, .friendSelf, .friendAlready, .friendNoRequest],
        "removeFriend": [.requestInvalid, .userNotFound, .friendSelf],
        "blockUser": [.requestInvalid, .userNotFound, .friendSelf],
        "unblockUser": [.requestInvalid, .userNotFound, .friendSelf],
    ]

    private static let promises: [String: Set<ErrorCode>] = [
        "createPromise": [
            .requestInvalid, .promiseNotFound, .promiseTooSoon, .promiseTooFar, .promiseNotFriend, .promiseKeyReused,
            .promiseLimit, .limitAttempts,
        ],
        "updatePromise": [
            .requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseNotFriend, .promiseClosed,
            .promiseStaleVersion, .promiseTooSoon, .promiseTooFar, .promiseLimit, .userNotFound,
        ],
        "cancelPromise": [.requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseClosed],
        "leavePromise": [.requestInvalid, .promiseNotFound, .promiseNotAccepted, .promiseClosed],
        "handOver": [
            .requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseNotAccepted, .promiseClosed, .promiseLimit,
            .userNotFound,
        ],
        "respond": [.requestInvalid, .promiseNotFound, .promiseClosed],
        "createInvite": [.requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseClosed],
        "revokeInvite": [.requestInvalid, .promiseNotFound, .promiseNotOwner],
        "joinByCode": [.codeInvalid, .limitAttempts, .promiseLimit],
        "getPromise": [.requestInvalid, .promiseNotFound],
        "listPromises": [.requestInvalid],
        "createViewLink": [.requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseClosed],
        "revokeViewLink": [.requestInvalid, .promiseNotFound, .promiseNotOwner],
        "setLinkSharing": [.requestInvalid, .promiseNotFound, .promiseNotAccepted, .promiseClosed],
        "watchByLink": [.codeInvalid, .limitAttempts, .limitViewers],
        "getResult": [.requestInvalid, .promiseNotFound, .promiseClosed, .resultNotFinal],
        "explainArrival": [.requestInvalid, .promiseNotFound, .promiseNotOwner, .userNotFound],
        "excuse": [
            .requestInvalid, .promiseNotFound, .promiseNotOwner, .promiseClosed, .promiseLimit, .userNotFound,
        ],
    ]

    private static let live: [String: Set<ErrorCode>] = [
        "syncClock": [.requestInvalid],
        "subscribe": [.requestInvalid, .promiseNotFound, .promiseNotAccepted],
        "unsubscribe": [.requestInvalid],
        "report": [
            .requestInvalid, .promiseNotFound, .positionOutsideWindow, .positionNotAccepted, .positionSharingOff,
        ],
        "reportTrouble": [.requestInvalid, .promiseNotFound, .positionOutsideWindow, .positionNotAccepted],
        "setSharing": [.requestInvalid, .promiseNotFound, .promiseNotAccepted, .promiseClosed],
        "setStatus": [.requestInvalid, .promiseNotFound, .promiseNotAccepted, .promiseClosed],
        "checkIn": [
            .requestInvalid, .promiseNotFound, .promiseNotAccepted, .positionOutsideWindow, .codeInvalid,
            .limitAttempts, .checkinTooFar, .checkinNoFix,
        ],
        "getCheckInCode": [.requestInvalid, .promiseNotFound, .promiseNotAccepted, .positionOutsideWindow],
        "nudge": [
            .requestInvalid, .promiseNotFound, .promiseNotAccepted, .promiseClosed, .nudgeTooOften, .userNotFound,
        ],
    ]
}
