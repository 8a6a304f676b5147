import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct AcknowledgementCheckTests {
    private static let id = Promise.sample().id

    private static func ledger(_ events: PromiseEvent...) -> Ledger {
        var ledger = Ledger()
        ledger.events[id] = events.enumerated().map {
            NumberedEvent(seq: $0.offset + 1, at: .meeting, event: $0.element)
        }
        return ledger
    }

    /// Requests of user 1 with the event that each leaves behind.
    private static let traces: [(ask: Ask, event: PromiseEvent)] = [
        (.respond(id, accepts: true), .joined(.user(1))),
        (.respond(id, accepts: false), .declined(.user(1))),
        // An accepted participant leaves by saying no.
        (.respond(id, accepts: false), .left(.user(1))),
        (.leave(id), .left(.user(1))),
        (.handOver(id, to: .user(2)), .handedOver(.user(2))),
        (.edit(id, .title("New")), .edited),
        (.edit(id, .moved(bySeconds: 60)), .edited),
        (.edit(id, .remove(.user(2))), .removed(.user(2))),
    ]

    @Test(.proves("18.6")) func `finds an acknowledged request without its event`() throws {
        for (ask, event) in Self.traces {
            try AcknowledgementCheck.check(.done, to: ask, of: .user(1), in: Self.ledger(event))
            #expect(throws: Breach.self) {
                try AcknowledgementCheck.check(.done, to: ask, of: .user(1), in: Self.ledger(.meetingTime))
            }
            try AcknowledgementCheck.check(.unavailable, to: ask, of: .user(1), in: Ledger())
        }
    }

    @Test func `finds an acknowledged promise, cancellation, check-in, excuse or deletion without a row`() {
        let ranked = RankedArrival(
            userID: .user(1),
            arrival: Arrival(stage: .confirmed, creditedAt: .meeting, source: .myself),
            rank: 1
        )
        let answers: [(Answer, Ask)] = [
            (.created(promise: 0, Self.id), .lookBack),
            (.arrived(Self.id, ranked), .checkIn(Self.id, withCode: false)),
            (.done, .cancel(Self.id)),
            (.done, .excuse(Self.id, .user(2))),
            (.done, .edit(Self.id, .invite(.user(2)))),
            (.done, .erase),
        ]
        for (answer, ask) in answers {
            #expect(throws: Breach.self) {
                try AcknowledgementCheck.check(answer, to: ask, of: .user(1), in: Ledger())
            }
        }
        #expect(throws: Never.self) {
            try AcknowledgementCheck.check(
                .arrived(Self.id, ranked),
                to: .checkIn(Self.id, withCode: false),
                of: .user(1),
                in: Self.ledger(.arrived(ranked))
            )
        }
    }
}
