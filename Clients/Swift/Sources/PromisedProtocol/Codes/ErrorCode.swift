/// Every reason for which a request is refused (docs/reference.md#error-codes).
///
/// The raw value is the stable name on the wire. Codes are added, never renamed; `Tests/PromisedWireTests/Golden`
/// lists them all. A client must expect codes that its version does not know.
public enum ErrorCode: String, Hashable, Sendable, CaseIterable {
    // MARK: - auth

    /// The request needs a signed-in user.
    case authRequired = "auth.required"
    /// Wrong e-mail or wrong password; the error does not say which.
    case authInvalidCredentials = "auth.invalid-credentials"
    /// The token is unknown, expired or revoked.
    case authTokenInvalid = "auth.token-invalid"
    /// Signed in, but not allowed.
    case authForbidden = "auth.forbidden"
    /// Accounts come from an outside issuer.
    case authLocalAccountsOff = "auth.local-accounts-off"

    // MARK: - user

    /// No such user, or not one the caller may know of.
    case userNotFound = "user.not-found"
    /// The e-mail has an account.
    case userEmailTaken = "user.email-taken"
    /// The nickname is taken.
    case userNicknameTaken = "user.nickname-taken"

    // MARK: - friend

    /// The other user is the caller.
    case friendSelf = "friend.self"
    /// The caller blocks the other user.
    case friendBlocked = "friend.blocked"
    /// They are friends.
    case friendAlready = "friend.already"
    /// The caller's request is open.
    case friendAlreadyRequested = "friend.already-requested"
    /// There is no request to answer or to withdraw.
    case friendNoRequest = "friend.no-request"
    /// Too many friends or open requests.
    case friendLimit = "friend.limit"

    // MARK: - promise

    /// No such promise, or not one of the caller's.
    case promiseNotFound = "promise.not-found"
    /// The meeting is less than the window's lead ahead.
    case promiseTooSoon = "promise.too-soon"
    /// The meeting is more than 366 days ahead.
    case promiseTooFar = "promise.too-far"
    /// Only friends can be invited.
    case promiseNotFriend = "promise.not-friend"
    /// Only the owner may do that.
    case promiseNotOwner = "promise.not-owner"
    /// The caller, or the participant concerned, has not accepted.
    case promiseNotAccepted = "promise.not-accepted"
    /// Too late: the window has opened, or the promise is over or cancelled.
    case promiseClosed = "promise.closed"
    /// The promise has changed since the version given.
    case promiseStaleVersion = "promise.stale-version"
    /// The key was used with other content.
    case promiseKeyReused = "promise.key-reused"
    /// Too many participants or promises.
    case promiseLimit = "promise.limit"

    // MARK: - place

    /// No such place or favourite, or not one the caller may know of.
    case placeNotFound = "place.not-found"
    /// Too many favourites.
    case placeLimit = "place.limit"
    /// An import into the source is in progress.
    case placeBusy = "place.busy"

    // MARK: - file

    /// No such file or upload, or not one the caller may know of.
    case fileNotFound = "file.not-found"
    /// The file is larger than its kind allows.
    case fileTooLarge = "file.too-large"
    /// The file is not of a supported format, or is damaged.
    case fileUnsupported = "file.unsupported"
    /// The uploaded bytes do not have the digest given; the upload starts over.
    case fileMismatch = "file.mismatch"
    /// The files of the user would take too much space.
    case fileQuota = "file.quota"
    /// Too many open uploads.
    case fileLimit = "file.limit"
    /// The server has lost the bytes of the file, or cannot read them.
    case fileUnreadable = "file.unreadable"

    // MARK: - visit

    /// No such visit, or not one the caller may know of.
    case visitNotFound = "visit.not-found"
    /// The visit has neither a title nor a memo nor a photo.
    case visitEmpty = "visit.empty"
    /// Too many visits.
    case visitLimit = "visit.limit"
    /// The visit has changed since the version given.
    case visitStaleVersion = "visit.stale-version"

    // MARK: - folder, course, recording, track

    /// No such folder, or not one of the caller's.
    case folderNotFound = "folder.not-found"
    /// Another folder of the caller has the title.
    case folderTitleTaken = "folder.title-taken"
    /// The folder has courses.
    case folderNotEmpty = "folder.not-empty"
    /// Too many folders.
    case folderLimit = "folder.limit"
    /// No such course, or not one the caller may know of.
    case courseNotFound = "course.not-found"
    /// Another course of the folder has the title.
    case courseTitleTaken = "course.title-taken"
    /// The way is too short for a course.
    case courseTooShort = "course.too-short"
    /// The window of the promise is not over yet.
    case courseTooEarly = "course.too-early"
    /// The positions of the promise have been deleted.
    case courseGone = "course.gone"
    /// Too many courses, or too many points in them.
    case courseLimit = "course.limit"
    /// The course or the folder has changed since the version given.
    case courseStaleVersion = "course.stale-version"
    /// No such recording, or not one of the caller's.
    case recordingNotFound = "recording.not-found"
    /// The recording has become a course.
    case recordingClosed = "recording.closed"
    /// Too many open recordings, or too many points.
    case recordingLimit = "recording.limit"
    /// The file is not a GPX file that the server reads.
    case trackMalformed = "track.malformed"

    // MARK: - position

    /// Outside the window in which positions are accepted.
    case positionOutsideWindow = "position.outside-window"
    /// The caller has not accepted the promise.
    case positionNotAccepted = "position.not-accepted"
    /// The caller does not share.
    case positionSharingOff = "position.sharing-off"
    /// Not a position: numbers that are not finite or out of range, (0, 0), an impossible accuracy.
    case positionInvalid = "position.invalid"
    /// Dated more than a minute ahead of the server's clock.
    case positionInFuture = "position.in-future"
    /// Simulated, and the promise rejects simulated positions.
    case positionMock = "position.mock"
    /// The limit of stored positions of the participant is reached.
    case positionLimit = "position.limit"

    // MARK: - code, checkin, nudge, result

    /// The code is invalid or has expired.
    case codeInvalid = "code.invalid"
    /// The latest position is too far away.
    case checkinTooFar = "checkin.too-far"
    /// There is no position of the last minute.
    case checkinNoFix = "checkin.no-fix"
    /// The same person was reminded less than a minute ago, or this is not the time for it.
    case nudgeTooOften = "nudge.too-often"
    /// The result is not final yet.
    case resultNotFinal = "result.not-final"

    // MARK: - request

    /// The frame holds no request that this server knows.
    case requestUnknown = "request.unknown"
    /// The request is known, but not available here.
    case requestUnsupported = "request.unsupported"
    /// A value is out of range; `field` names it.
    case requestInvalid = "request.invalid"
    /// The request is too large.
    case requestTooLarge = "request.too-large"
    /// The key was used with other content.
    case requestKeyReused = "request.key-reused"

    // MARK: - limit

    /// Too many requests on this connection.
    case limitRate = "limit.rate"
    /// Too many attempts.
    case limitAttempts = "limit.attempts"
    /// The limit of viewers by the link is reached.
    case limitViewers = "limit.viewers"

    // MARK: - server

    /// The server is temporarily unable to answer.
    case serverUnavailable = "server.unavailable"
    /// An internal error.
    case serverInternal = "server.internal"
}

extension ErrorCode {
    /// A sentence for people, in English, unless the refusal has a better one. Clients may show their own by code.
    public var sentence: String {
        switch self {
        case .authRequired: "Sign in first."
        case .authInvalidCredentials: "The e-mail or the password is wrong."
        case .authTokenInvalid: "The token is invalid or has expired."
        case .authForbidden: "You are not allowed to do this."
        case .authLocalAccountsOff: "An external issuer manages the accounts of this server."
        case .userNotFound: "This user does not exist."
        case .userEmailTaken: "An account with this e-mail already exists."
        case .userNicknameTaken: "This nickname is taken."
        case .friendSelf: "You cannot do this with your own account."
        case .friendBlocked: "You have blocked this user."
        case .friendAlready: "You are already friends."
        case .friendAlreadyRequested: "You have already sent this user a friend request."
        case .friendNoRequest: "This friend request does not exist."
        case .friendLimit: "Too many friends or pending friend requests."
        case .promiseNotFound: "This promise does not exist."
        case .promiseTooSoon: "The meeting time is too soon."
        case .promiseTooFar: "The meeting time is too far ahead."
        case .promiseNotFriend: "You can invite only friends."
        case .promiseNotOwner: "Only the owner can do this."
        case .promiseNotAccepted: "Only participants who accepted the promise can do this."
        case .promiseClosed: "It is too late for this."
        case .promiseStaleVersion: "The promise has changed in the meantime."
        case .promiseKeyReused: "This key already belongs to another promise."
        case .promiseLimit: "Too many participants or promises."
        case .placeNotFound: "This place does not exist."
        case .placeLimit: "You have too many favourites."
        case .placeBusy: "Another import into this source is in progress."
        case .fileNotFound: "This file does not exist."
        case .fileTooLarge: "This file is too large."
        case .fileUnsupported: "This file has an unsupported format or is damaged."
        case .fileMismatch: "The upload was damaged: it starts over."
        case .fileQuota: "Your files would take too much space."
        case .fileLimit: "Too many uploads are in progress."
        case .fileUnreadable: "The server cannot read this file any more."
        case .visitNotFound: "This visit does not exist."
        case .visitEmpty: "A visit needs a title, a memo or a photo."
        case .visitLimit: "You have too many visits."
        case .visitStaleVersion: "The visit has changed in the meantime."
        case .folderNotFound: "This folder does not exist."
        case .folderTitleTaken: "Another of your folders has this title."
        case .folderNotEmpty: "The folder is not empty."
        case .folderLimit: "You have too many folders."
        case .courseNotFound: "This course does not exist."
        case .courseTitleTaken: "Another course of the folder has this title."
        case .courseTooShort: "The way is too short for a course."
        case .courseTooEarly: "Your way can be kept once the promise is over."
        case .courseGone: "The positions of this promise have been deleted."
        case .courseLimit: "Your courses would have too many points, or you have too many courses."
        case .courseStaleVersion: "This has changed in the meantime."
        case .recordingNotFound: "This recording does not exist."
        case .recordingClosed: "This recording has become a course."
        case .recordingLimit: "Too many recordings are open."
        case .trackMalformed: "This is not a GPX file that the server reads."
        case .positionOutsideWindow: "The server does not accept positions at this time."
        case .positionNotAccepted: "You have not accepted this promise."
        case .positionSharingOff: "You have paused sharing your position."
        case .positionInvalid: "The position is invalid."
        case .positionInFuture: "The position is dated in the future."
        case .positionMock: "This promise does not accept simulated positions."
        case .positionLimit: "The server stores no more of your positions for this promise."
        case .codeInvalid: "The code is invalid or has expired."
        case .checkinTooFar: "You are too far from the place."
        case .checkinNoFix: "Your position is unknown."
        case .nudgeTooOften: "Wait before you do this again."
        case .resultNotFinal: "The result is not final yet."
        case .requestUnknown: "The server does not know this request."
        case .requestUnsupported: "The server does not support this request."
        case .requestInvalid: "A value is out of range."
        case .requestTooLarge: "The request is too large."
        case .requestKeyReused: "This key already belongs to another request."
        case .limitRate: "Too many requests."
        case .limitAttempts: "Too many attempts."
        case .limitViewers: "Too many people are already watching."
        case .serverUnavailable: "The server cannot do this now: try again later."
        case .serverInternal: "An internal error occurred in the server."
        }
    }
}

extension ErrorCode {
    /// Whether the same request may succeed later, unless the refusal knows better.
    public var retry: Retry {
        switch self {
        case .authRequired: .afterRejoin
        case .placeBusy, .fileMismatch, .fileLimit, .courseTooEarly, .recordingLimit, .positionOutsideWindow,
            .positionInFuture, .checkinTooFar, .checkinNoFix, .nudgeTooOften, .resultNotFinal,
            .limitRate, .limitAttempts, .limitViewers, .serverUnavailable, .serverInternal:
            .later
        case .authInvalidCredentials, .authTokenInvalid, .authForbidden, .authLocalAccountsOff,
            .userNotFound, .userEmailTaken, .userNicknameTaken,
            .friendSelf, .friendBlocked, .friendAlready, .friendAlreadyRequested, .friendNoRequest, .friendLimit,
            .promiseNotFound, .promiseTooSoon, .promiseTooFar, .promiseNotFriend, .promiseNotOwner,
            .promiseNotAccepted, .promiseClosed, .promiseStaleVersion, .promiseKeyReused, .promiseLimit,
            .placeNotFound, .placeLimit,
            .fileNotFound, .fileTooLarge, .fileUnsupported, .fileQuota, .fileUnreadable, .visitNotFound, .visitEmpty,
            .visitLimit,
            .visitStaleVersion, .folderNotFound, .folderTitleTaken, .folderNotEmpty, .folderLimit,
            .courseNotFound, .courseTitleTaken, .courseTooShort, .courseGone, .courseLimit, .courseStaleVersion,
            .recordingNotFound, .recordingClosed, .trackMalformed, .positionNotAccepted, .positionSharingOff,
            .positionInvalid, .positionMock, .positionLimit, .codeInvalid,
            .requestUnknown, .requestUnsupported, .requestInvalid, .requestTooLarge, .requestKeyReused:
            .never
        }
    }
}

/// Whether a refused request may succeed later.
public enum Retry: String, Hashable, Sendable, CaseIterable {
    /// Never as it stands.
    case never = "NEVER"
    /// After a while; `retryAfterMs` says how long, if known.
    case later = "LATER"
    /// After connecting, signing in or subscribing again.
    case afterRejoin = "AFTER_REJOIN"
}

extension Retry {
    /// The wire's form.
    public var wireValue: WireRetry.Value {
        switch self {
        case .never: .never
        case .later: .later
        case .afterRejoin: .afterRejoin
        }
    }

    /// From the wire's form; nil for an unspecified or unknown one.
    public init?(_ value: WireRetry.Value) {
        switch value {
        case .never: self = .never
        case .later: self = .later
        case .afterRejoin: self = .afterRejoin
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
