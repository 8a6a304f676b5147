import PromisedDomain
import PromisedProtocol
import PromisedWire
import Testing

@Suite struct RefusalConversionTests {
    @Test(
        arguments: [
            (.forbidden, "auth.forbidden"), (.userNotFound, "user.not-found"), (.emailTaken, "user.email-taken"),
            (.nicknameTaken, "user.nickname-taken"), (.friendSelf, "friend.self"), (.friendBlocked, "friend.blocked"),
            (.friendAlready, "friend.already"), (.friendAlreadyRequested, "friend.already-requested"),
            (.friendNoRequest, "friend.no-request"), (.friendLimit, "friend.limit"),
            (.promiseNotFound, "promise.not-found"), (.promiseTooSoon, "promise.too-soon"),
            (.promiseTooFar, "promise.too-far"), (.promiseNotFriend, "promise.not-friend"),
            (.promiseNotOwner, "promise.not-owner"), (.promiseNotAccepted, "promise.not-accepted"),
            (.promiseClosed, "promise.closed"), (.promiseStaleVersion, "promise.stale-version"),
            (.promiseKeyReused, "promise.key-reused"), (.promiseLimit, "promise.limit"),
            (.positionOutsideWindow, "position.outside-window"), (.positionNotAccepted, "position.not-accepted"),
            (.positionSharingOff, "position.sharing-off"), (.positionInvalid, "position.invalid"),
            (.positionInFuture, "position.in-future"), (.positionMock, "position.mock"), (.codeInvalid, "code.invalid"),
            (.positionLimit, "position.limit"), (.tooManyFixes(retryAfter: .seconds(1)), "limit.rate"),
            (.checkInTooFar, "checkin.too-far"), (.checkInNoFix, "checkin.no-fix"), (.nudgeTooOften, "nudge.too-often"),
            (.resultNotFinal, "result.not-final"), (.viewerLimit, "limit.viewers"),
            (.placeNotFound, "place.not-found"), (.placeLimit, "place.limit"), (.placeBusy, "place.busy"),
            (.fileNotFound, "file.not-found"), (.fileTooLarge, "file.too-large"),
            (.fileUnsupported, "file.unsupported"), (.fileUnreadable, "file.unreadable"),
            (.fileMismatch, "file.mismatch"), (.fileQuota, "file.quota"),
            (.fileLimit, "file.limit"), (.fileNoSpace, "server.unavailable"), (.visitNotFound, "visit.not-found"),
            (.visitEmpty, "visit.empty"), (.visitLimit, "visit.limit"), (.visitStaleVersion, "visit.stale-version"),
            (.requestKeyReused, "request.key-reused"),
        ] as [(Refusal, String)]
    )
    func `a refusal has its code`(refusal: Refusal, code: String) {
        let reply = WireErrorReply(refusal)
        #expect(reply.code == code)
        #expect(reply.field == "")
        #expect(!reply.message.isEmpty)
    }

    @Test func `an invalid field is named`() {
        let reply = WireErrorReply(Refusal.invalid(field: "place.name"))
        #expect(reply.knownCode == .requestInvalid)
        #expect(reply.field == "place.name")
        #expect(WireErrorReply(WireError.invalid(field: "fixes")).field == "fixes")
        #expect(WireErrorReply(WireError.invalid(field: "fixes")).knownCode == .requestInvalid)
    }

    @Test func `coding failures have a code too`() {
        #expect(WireErrorReply(WireError.malformed(.syntax)).knownCode == .requestInvalid)
        #expect(WireErrorReply(WireError.unencodable).knownCode == .serverInternal)
    }
}
