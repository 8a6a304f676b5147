/// An expected refusal by the rules. Each has a stable code on the wire, which also defines the wording for people.
package enum Refusal: Error, Hashable, Sendable {
    /// The caller may not do this, although they may know of it.
    case forbidden
    /// No such user, or not one the caller may know of.
    case userNotFound
    /// The e-mail address belongs to an account.
    case emailTaken
    /// The nickname belongs to an account.
    case nicknameTaken
    /// The caller named their own account.
    case friendSelf
    /// The caller blocks that user.
    case friendBlocked
    /// They are friends.
    case friendAlready
    /// The caller's request is still open, or was rejected less than 24 h ago.
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
    /// An invited user is not a friend.
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
    /// Positions are not accepted now, or the fix is dated outside the window.
    case positionOutsideWindow
    /// Positions are accepted only from participants who have accepted.
    case positionNotAccepted
    /// The participant switched sharing off.
    case positionSharingOff
    /// Coordinates or accuracy are invalid.
    case positionInvalid
    /// Dated too far ahead of the server's clock.
    case positionInFuture
    /// Simulated, and the promise rejects simulated fixes.
    case positionMock
    /// The limit of stored fixes of the participant is reached.
    case positionLimit
    /// The participant reports fixes too fast; there is room again after this time, on the server's clock.
    case tooManyFixes(retryAfter: TimeSpan)
    /// The code is wrong or has expired.
    case codeInvalid
    /// The latest position is not near enough to check in.
    case checkInTooFar
    /// There is no recent position to check in with.
    case checkInNoFix
    /// A nudge to the same participant less than a minute ago.
    case nudgeTooOften
    /// The result is not final yet.
    case resultNotFinal
    /// The limit of viewers by the link is reached.
    case viewerLimit
    /// No such place or favourite, or not one the caller may know of.
    case placeNotFound
    /// Too many favourites.
    case placeLimit
    /// An import into the source is in progress.
    case placeBusy
    /// No such file or upload, or not one the caller may know of.
    case fileNotFound
    /// The file is larger than its kind allows.
    case fileTooLarge
    /// The file is not of the format that its kind needs, or does not hold together.
    case fileUnsupported
    /// The uploaded bytes do not have the digest that the upload named, or do not follow those before them.
    case fileMismatch
    /// The user's files would take more space than a user has.
    case fileQuota
    /// Too many open uploads.
    case fileLimit
    /// The bytes of the file are missing, cut off or no file on the disk.
    case fileUnreadable
    /// The disk is too full for another file.
    case fileNoSpace
    /// No such visit, or not one the caller may know of.
    case visitNotFound
    /// A visit by hand has neither a title nor a memo nor a photo.
    case visitEmpty
    /// Too many visits.
    case visitLimit
    /// The visit changed since the caller read it.
    case visitStaleVersion
    /// No such folder, or not one the caller may know of.
    case folderNotFound
    /// Another folder of the user has the title.
    case folderTitleTaken
    /// The folder has courses.
    case folderNotEmpty
    /// Too many folders.
    case folderLimit
    /// No such course, or not one the caller may know of.
    case courseNotFound
    /// Another course of the folder has the title.
    case courseTitleTaken
    /// The way has fewer than two counted points.
    case courseTooShort
    /// The promise is not settling yet.
    case courseTooEarly
    /// The positions of the promise have been deleted.
    case courseGone
    /// Too many courses or points.
    case courseLimit
    /// The course or folder changed since the caller read it.
    case courseStaleVersion
    /// No such recording, or not one of the caller's.
    case recordingNotFound
    /// The recording has become a course.
    case recordingClosed
    /// Too many open recordings, or too many points.
    case recordingLimit
    /// The file is not a track that is read.
    case trackMalformed
    /// The key was used for another content within 24 hours.
    case requestKeyReused
    /// A field is missing, out of range or malformed; the name is the one on the wire.
    case invalid(field: String)
}
