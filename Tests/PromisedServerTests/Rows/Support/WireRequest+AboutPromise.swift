import PromisedProtocol
import PromisedWire
import SwiftProtobuf

extension WireRequest {
    /// Every request that names a promise, with values that are valid for its participants.
    static func all(about promiseID: String, and userID: String) -> [WireRequest] {
        var update = WireUpdatePromise()
        (update.promiseID, update.version, update.title, update.invite) = (promiseID, 1, "Mine", [userID])
        var handOver = WireHandOver()
        (handOver.promiseID, handOver.userID) = (promiseID, userID)
        let invite = WireCreateInvite.with { $0.promiseID = promiseID }
        let revoke = WireRevokeInvite.with { $0.promiseID = promiseID }
        let sharing = WireSetSharing.with { $0.promiseID = promiseID }
        var status = WireSetStatus()
        (status.promiseID, status.text) = (promiseID, "Hello")
        var nudge = WireNudge()
        (nudge.promiseID, nudge.userID) = (promiseID, userID)
        var trouble = WireReportTrouble()
        (trouble.promiseID, trouble.cause) = (promiseID, .noFix)
        var explain = WireExplainArrival()
        (explain.promiseID, explain.userID) = (promiseID, userID)
        var excuse = WireExcuse()
        (excuse.promiseID, excuse.userID, excuse.reason) = (promiseID, userID, "Ill")
        return [
            .getPromise(.of(promiseID)), .subscribe(.of(promiseID)), .respond(.to(promiseID, accept: true)),
            .respond(.to(promiseID, accept: false)), .leavePromise(.of(promiseID)), .cancelPromise(.of(promiseID)),
            .getResult(.of(promiseID)), .report(.one(promiseID)), .updatePromise(update), .handOver(handOver),
            .createInvite(invite), .revokeInvite(revoke), .setSharing(sharing), .setStatus(status), .nudge(nudge),
            .reportTrouble(trouble), .checkIn(.at(promiseID)), .checkIn(.at(promiseID, code: "123456")),
            .getCheckInCode(.of(promiseID)), .explainArrival(explain), .excuse(excuse),
        ]
    }
}
