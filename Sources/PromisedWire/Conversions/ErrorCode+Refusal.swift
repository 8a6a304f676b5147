package import PromisedDomain
package import PromisedProtocol

extension ErrorCode {
    /// The stable code of a refusal.
    package init(_ refusal: Refusal) {
        switch refusal {
        case .forbidden: self = .authForbidden
        case .userNotFound: self = .userNotFound
        case .emailTaken: self = .userEmailTaken
        case .nicknameTaken: self = .userNicknameTaken
        case .friendSelf: self = .friendSelf
        case .friendBlocked: self = .friendBlocked
        case .friendAlready: self = .friendAlready
        case .friendAlreadyRequested: self = .friendAlreadyRequested
        case .friendNoRequest: self = .friendNoRequest
        case .friendLimit: self = .friendLimit
        case .promiseNotFound: self = .promiseNotFound
        case .promiseTooSoon: self = .promiseTooSoon
        case .promiseTooFar: self = .promiseTooFar
        case .promiseNotFriend: self = .promiseNotFriend
        case .promiseNotOwner: self = .promiseNotOwner
        case .promiseNotAccepted: self = .promiseNotAccepted
        case .promiseClosed: self = .promiseClosed
        case .promiseStaleVersion: self = .promiseStaleVersion
        case .promiseKeyReused: self = .promiseKeyReused
        case .promiseLimit: self = .promiseLimit
        case .positionOutsideWindow: self = .positionOutsideWindow
        case .positionNotAccepted: self = .positionNotAccepted
        case .positionSharingOff: self = .positionSharingOff
        case .positionInvalid: self = .positionInvalid
        case .positionInFuture: self = .positionInFuture
        case .positionMock: self = .positionMock
        case .positionLimit: self = .positionLimit
        case .tooManyFixes: self = .limitRate
        case .codeInvalid: self = .codeInvalid
        case .checkInTooFar: self = .checkinTooFar
        case .checkInNoFix: self = .checkinNoFix
        case .nudgeTooOften: self = .nudgeTooOften
        case .resultNotFinal: self = .resultNotFinal
        case .viewerLimit: self = .limitViewers
        case .placeNotFound: self = .placeNotFound
        case .placeLimit: self = .placeLimit
        case .placeBusy: self = .placeBusy
        case .fileNotFound: self = .fileNotFound
        case .fileTooLarge: self = .fileTooLarge
        case .fileUnsupported: self = .fileUnsupported
        case .fileMismatch: self = .fileMismatch
        case .fileQuota: self = .fileQuota
        case .fileLimit: self = .fileLimit
        case .fileUnreadable: self = .fileUnreadable
        case .fileNoSpace: self = .serverUnavailable
        case .visitNotFound: self = .visitNotFound
        case .visitEmpty: self = .visitEmpty
        case .visitLimit: self = .visitLimit
        case .visitStaleVersion: self = .visitStaleVersion
        case .folderNotFound: self = .folderNotFound
        case .folderTitleTaken: self = .folderTitleTaken
        case .folderNotEmpty: self = .folderNotEmpty
        case .folderLimit: self = .folderLimit
        case .courseNotFound: self = .courseNotFound
        case .courseTitleTaken: self = .courseTitleTaken
        case .courseTooShort: self = .courseTooShort
        case .courseTooEarly: self = .courseTooEarly
        case .courseGone: self = .courseGone
        case .courseLimit: self = .courseLimit
        case .courseStaleVersion: self = .courseStaleVersion
        case .recordingNotFound: self = .recordingNotFound
        case .recordingClosed: self = .recordingClosed
        case .recordingLimit: self = .recordingLimit
        case .trackMalformed: self = .trackMalformed
        case .requestKeyReused: self = .requestKeyReused
        case .invalid: self = .requestInvalid
        }
    }
}

extension WireErrorReply {
    /// The error for a refusal, with its field if it names one.
    package init(_ refusal: Refusal) {
        if case .invalid(let field) = refusal {
            self.init(ErrorCode(refusal), field: field)
        } else {
            self.init(ErrorCode(refusal))
        }
    }

    /// The error for a request that could not be decoded, or a reply that could not be encoded.
    ///
    /// A malformed frame is closed with ``CloseCode/malformedFrame`` instead of an error; if one is needed anyway, it
    /// is ``ErrorCode/requestInvalid`` without a field.
    package init(_ error: WireError) {
        switch error {
        case .invalid(let field): self.init(.requestInvalid, field: field)
        case .malformed: self.init(.requestInvalid)
        case .unencodable: self.init(.serverInternal)
        }
    }
}
