import PromisedDomain
internal import PromisedProtocol
import SwiftProtobuf

extension WireEvent.OneOf_What {
    init(_ event: PromiseEvent, in view: SessionView, card: (UserID) -> UserCard) {
        switch event {
        case .invited(let userID):
            self = .invited(
                .with {
                    $0.promise = WirePromise(view, detail: .membership, card: card)
                    $0.user = WireUserCard(card(userID))
                }
            )
        case .edited: self = .edited(.with { $0.promise = WirePromise(view, detail: .arrivals, card: card) })
        case .joined(let userID): self = .joined(.with { $0.user = WireUserCard(card(userID)) })
        case .declined(let userID): self = .declined(.with { $0.user = WireUserCard(card(userID)) })
        case .left(let userID): self = .left(.with { $0.user = WireUserCard(card(userID)) })
        case .removed(let userID): self = .removed(.with { $0.user = WireUserCard(card(userID)) })
        case .handedOver(let userID): self = .handedOver(.with { $0.ownerID = userID.wireText })
        case .cancelled(let reason): self = .cancelled(.with { $0.reason = reason.bounded(characters: 200) })
        case .trackingStarted: self = .trackingStarted(WireEvent.TrackingStarted())
        case .meetingTime: self = .meetingTime(WireEvent.MeetingTime())
        case .late(let userIDs): self = .late(.with { $0.userIds = userIDs.map(\.wireText) })
        case .trackingEnded: self = .trackingEnded(WireEvent.TrackingEnded())
        case .arrived(let ranked): self = .arrived(.with { $0.arrival = WireArrival(ranked, of: view.promise) })
        case .arrivalConfirmed(let ranked):
            self = .arrivalConfirmed(.with { $0.arrival = WireArrival(ranked, of: view.promise) })
        case .arrivalRetracted(let userID, let reason):
            self = .arrivalRetracted(
                .with {
                    $0.userID = userID.wireText
                    $0.reason = reason.rawValue
                }
            )
        case .rankingRevised(let arrivals, let cause):
            self = .rankingRevised(
                .with {
                    $0.arrivals = arrivals.map { WireArrival($0, of: view.promise) }
                    $0.cause = cause.rawValue
                }
            )
        case .resultFinal: self = .resultFinal(.with { $0.result = view.wireResult(card: card) })
        case .excused(let userID): self = .excused(.with { $0.row = view.wireRow(ofExcused: userID, card: card) })
        case .viewLinkCreated(let end): self = .viewLinkCreated(.with { $0.expiresAt = WireTimestamp(end) })
        case .viewLinkRevoked: self = .viewLinkRevoked(WireEvent.ViewLinkRevoked())
        }
    }
}

extension SessionView {
    /// The result; only the promise's id if there is no result.
    fileprivate func wireResult(card: (UserID) -> UserCard) -> WireResult {
        if let result { return WireResult(result, card: card) }
        return .with { $0.promiseID = promise.id.wireText }
    }

    /// The row of an excused participant: from the result, or provisional before it.
    fileprivate func wireRow(ofExcused userID: UserID, card: (UserID) -> UserCard) -> WireResultRow {
        if let row = result?.rows.first(where: { $0.userID == userID }) {
            return WireResultRow(row, card: card(userID))
        }
        let member = members.first { $0.participant.userID == userID }
        let arrival = member?.arrival
        let row = PromiseResult.Row(
            userID: userID,
            outcome: .excused,
            creditedAt: arrival?.arrival.creditedAt,
            secondsFromMeeting: arrival.map { ($0.arrival.creditedAt - promise.meetsAt).wholeSeconds } ?? 0,
            rank: arrival?.rank ?? 0,
            source: arrival?.arrival.source,
            penaltyOwed: 0,
            excusedReason: member?.participant.excusedReason ?? ""
        )
        return WireResultRow(row, card: card(userID))
    }
}
