extension ErrorCode {
    /// Whether the same request may succeed later, unless the refusal knows better.
    public var retry: Retry {
        switch self {
        case .authRequired:
            .afterRejoin
        case .positionOutsideWindow, .positionInFuture, .checkinTooFar, .checkinNoFix, .nudgeTooOften, .resultNotFinal,
            .limitRate, .limitAttempts, .limitViewers, .serverUnavailable, .serverInternal:
            .later
        case .authInvalidCredentials, .authTokenInvalid, .authForbidden, .authLocalAccountsOff,
            .userNotFound, .userEmailTaken, .userNicknameTaken,
            .friendSelf, .friendBlocked, .friendAlready, .friendAlreadyRequested, .friendNoRequest, .friendLimit,
            .promiseNotFound, .promiseTooSoon, .promiseTooFar, .promiseNotFriend, .promiseNotOwner,
            .promiseNotAccepted, .promiseClosed, .promiseStaleVersion, .promiseKeyReused, .promiseLimit,
            .positionNotAccepted, .positionSharingOff, .positionInvalid, .positionMock, .positionLimit, .codeInvalid,
            .requestUnknown, .requestUnsupported, .requestInvalid, .requestTooLarge:
            .never
        }
    }
}
