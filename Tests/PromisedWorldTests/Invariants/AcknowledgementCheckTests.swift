import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import SwiftProtobuf
import Testing

@testable import PromisedWorld

@Suite struct AcknowledgementCheckTests {
    private static let id = Promise.sample().id
    private static let text = id.description
    private static let done = WireContent.done(WireDone())
    private static let other = UserID.user(2).description

    private static func committed(_ events: PromiseEvent...) -> CommittedRows {
        var committed = CommittedRows()
        committed.events[id] = events.enumerated().map {
            NumberedEvent(seq: $0.offset + 1, at: .meeting, event: $0.element)
        }
        return committed
    }

    private static func respond(_ accepts: Bool) -> WireRequest {
        .respond(.with { ($0.promiseID, $0.accept) = (text, accepts) })
    }

    private static func edit(_ change: (inout WireUpdatePromise) -> Void) -> WireRequest {
        var edit = WireUpdatePromise()
        edit.promiseID = text
        change(&edit)
        return .updatePromise(edit)
    }

    private static let checkIn = WireRequest.checkIn(.with { $0.promiseID = text })

    /// Requests of user 1 with the event that each leaves behind.
    private static let traces: [(request: WireRequest, event: PromiseEvent)] = [
        (respond(true), .joined(.user(1))),
        (respond(false), .declined(.user(1))),
        // An accepted participant leaves by saying no.
        (respond(false), .left(.user(1))),
        (.leavePromise(.with { $0.promiseID = text }), .left(.user(1))),
        (.handOver(.with { ($0.promiseID, $0.userID) = (text, other) }), .handedOver(.user(2))),
        (edit { $0.title = "New" }, .edited),
        (edit { $0.meetsAt = WireTimestamp() }, .edited),
        (edit { $0.remove = [other] }, .removed(.user(2))),
    ]

    @Test(.proves("18.6")) func `finds an acknowledged request without its event`() throws {
        let unavailable = WireContent.error(WireErrorReply(.serverUnavailable))
        for (request, event) in Self.traces {
            try AcknowledgementCheck.check(Self.done, to: request, of: .user(1), in: Self.committed(event))
            #expect(throws: Violation.self) {
                try AcknowledgementCheck.check(Self.done, to: request, of: .user(1), in: Self.committed(.meetingTime))
            }
            try AcknowledgementCheck.check(unavailable, to: request, of: .user(1), in: CommittedRows())
        }
    }

    @Test func `finds an acknowledged promise, cancellation, check-in, excuse or deletion without a row`() throws {
        let created = WireContent.promise(.with { $0.promise.promiseID = Self.text })
        let replies: [(WireContent, WireRequest)] = [
            (created, .createPromise(WireCreatePromise())),
            (.arrival(WireArrival()), Self.checkIn),
            (Self.done, .cancelPromise(.with { $0.promiseID = Self.text })),
            (Self.done, .excuse(.with { ($0.promiseID, $0.userID) = (Self.text, Self.other) })),
            (Self.done, Self.edit { $0.invite = [Self.other] }),
            (Self.done, .deleteAccount(WireDeleteAccount())),
        ]
        for (reply, request) in replies {
            #expect(throws: Violation.self) {
                try AcknowledgementCheck.check(reply, to: request, of: .user(1), in: CommittedRows())
            }
        }
        let ranked = RankedArrival(
            userID: .user(1),
            arrival: Arrival(stage: .confirmed, creditedAt: .meeting, source: .myself),
            rank: 1
        )
        let committed = Self.committed(.arrived(ranked))
        try AcknowledgementCheck.check(.arrival(WireArrival()), to: Self.checkIn, of: .user(1), in: committed)
    }
}
