/// An expected "no" of the rules. Each has a stable code on the wire; wording for people is made there.
public enum Refusal: Error, Hashable, Sendable {
    /// The caller may not do this although they may know of it.
    case forbidden
    /// No such user, or not one the caller may know of.
    case userNotFound
    /// The e-mail address belongs to an account.
    case emailTaken
    /// The nickname belongs to an account.
    case nicknameTaken
    /// The caller named themself.
    case friendSelf
    /// The caller blocks that user.
    case friendBlocked
    /// They are friends.
    case friendAlready
    /// The caller asked before and waits for an answer, or was rejected less than 24 h ago.
    case friendAlreadyRequested
    /// There is no request to answer or cancel.
    case friendNoRequest
    /// Too many friends or too many open requests.
    case friendLimit
    /// No such promise, or not one the caller may know of.
    case promiseNotFound
    /// The meeting time is too near.
    case promiseTooSoon
    /// The meeting time is too far ahead.
    case promiseTooFar
    /// Somebody invited is not a friend.
    case promiseNotFriend
    /// Only the owner may do this.
    case promiseNotOwner
    /// Only accepted participants may do this.
    case promiseNotAccepted
    /// The promise is past the point where this was possible.
    case promiseClosed
    /// The promise changed since the caller read it.
    case promiseStaleVersion
    /// The key was used for another content.
    case promiseKeyReused
    /// Too many promises or participants.
    case promiseLimit
    /// Positions do not flow now, or the fix is dated outside the window.
    case positionOutsideWindow
    /// Positions flow only from people who accepted.
    case positionNotAccepted
    /// The participant switched sharing off.
    case positionSharingOff
    /// Coordinates or accuracy make no sense.
    case positionInvalid
    /// Dated too far ahead of the server's clock.
    case positionInFuture
    /// Simulated, and the promise refuses that.
    case positionMock
    /// As many fixes of the participant are kept as may be.
    case positionLimit
    /// The participant reports more fixes than may be; so long until there is room, on the server's clock.
    case tooManyFixes(retryAfter: TimeSpan)
    /// The code is wrong or has expired.
    case codeInvalid
    /// The latest position is not near enough to check in.
    case checkInTooFar
    /// There is no recent position to check in with.
    case checkInNoFix
    /// A nudge to the same person less than a minute ago.
    case nudgeTooOften
    /// The result is not final yet.
    case resultNotFinal
    /// So many watch by the link already as may at a time.
    case viewerLimit
    /// A field is missing, out of range or malformed; the name is the one on the wire.
    case invalid(field: String)
}
