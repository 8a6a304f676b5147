import PromisedProtocol
import SwiftProtobuf

/// One event of each kind, with every field filled.
enum EventSamples {
    private typealias Values = SampleValues

    static let all: [WireEvent] =
        (durable + LinkSamples.durable).enumerated().map { event($0.element, seq: UInt32($0.offset + 1)) }
        + (passing + LinkSamples.passing + NotificationSamples.passing).map { event($0, seq: 0) }
        + (personal + NotificationSamples.personal + VisitSamples.personal + CourseSamples.personal).map {
            event($0, seq: 0, promiseID: "")
        }

    private static func event(
        _ what: WireEvent.OneOf_What,
        seq: UInt32,
        promiseID: String = Values.promiseID
    ) -> WireEvent {
        .with {
            $0.promiseID = promiseID
            $0.seq = seq
            $0.at = Values.timestamp(Int64(seq))
            $0.what = what
        }
    }

    private static let durable: [WireEvent.OneOf_What] = [
        .invited(
            .with {
                $0.promise = Values.promise
                $0.user = Values.card
            }
        ),
        .joined(.with { $0.user = Values.card }),
        .declined(.with { $0.user = Values.card }),
        .left(.with { $0.user = Values.card }),
        .removed(.with { $0.user = Values.card }),
        .handedOver(.with { $0.ownerID = Values.otherUserID }),
        .edited(.with { $0.promise = Values.promise }),
        .cancelled(.with { $0.reason = "Rain" }),
        .trackingStarted(WireEvent.TrackingStarted()),
        .meetingTime(WireEvent.MeetingTime()),
        .late(.with { $0.userIds = [Values.userID, Values.otherUserID] }),
        .trackingEnded(WireEvent.TrackingEnded()),
        .arrived(.with { $0.arrival = Values.arrival }),
        .arrivalConfirmed(.with { $0.arrival = Values.arrival }),
        .arrivalRetracted(
            .with {
                $0.userID = Values.userID
                $0.reason = "left-again"
            }
        ),
        .rankingRevised(
            .with {
                $0.arrivals = [Values.arrival]
                $0.cause = "backfill"
            }
        ),
        .resultFinal(.with { $0.result = Values.result }),
        .excused(.with { $0.row = Values.row }),
    ]

    private static let passing: [WireEvent.OneOf_What] = [
        .positions(
            .with {
                $0.positions = [Values.position]
                $0.nextReportMs = 4_750
            }
        ),
        .presence(.with { $0.presences = [Values.presence] }),
        .eta(
            .with {
                $0.userID = Values.userID
                $0.eta = Values.eta
            }
        ),
        .pace(.with { $0.nextReportMs = 30_000 }),
        .cannotCount(
            .with {
                $0.errorMetres = 82.5
                $0.limitMetres = 70
            }
        ),
        .sharingChanged(
            .with {
                $0.userID = Values.userID
                $0.on = true
            }
        ),
        .statusChanged(
            .with {
                $0.userID = Values.userID
                $0.text = "on the bus"
                $0.emoji = "🚌"
            }
        ),
        .nudged(
            .with {
                $0.from = Values.userID
                $0.userID = Values.otherUserID
            }
        ),
    ]

    private static let personal: [WireEvent.OneOf_What] = [
        .friendRequested(.with { $0.user = Values.card }),
        .friendAdded(.with { $0.user = Values.card }),
        .friendRemoved(.with { $0.userID = Values.userID }),
        .statisticsChanged(.with { $0.statistics = Values.statistics }),
        .sessionRevoked(.with { $0.reason = "signed-out" }),
    ]
}
