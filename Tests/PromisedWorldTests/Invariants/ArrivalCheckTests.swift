import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct ArrivalCheckTests {
    private static let ranked = RankedArrival(
        userID: .user(1),
        arrival: Arrival(stage: .provisional, creditedAt: .meeting, source: .gps),
        rank: 1
    )

    private static func follow(_ events: PromiseEvent...) throws -> ArrivalCheck {
        var check = ArrivalCheck()
        try check.follow(
            events.enumerated().map { NumberedEvent(seq: $0.offset + 1, at: .meeting, event: $0.element) }
        )
        return check
    }

    private static func row(_ stage: String) -> [UserID: CommittedRows.ArrivalRow] {
        [.user(1): CommittedRows.ArrivalRow(stage: stage, creditedAt: .meeting)]
    }

    @Test func `accepts an arrival that is confirmed, retracted and repeated`() throws {
        let check = try Self.follow(
            .arrived(Self.ranked),
            .arrivalConfirmed(Self.ranked),
            .arrivalRetracted(.user(1), reason: .backfill),
            .arrived(Self.ranked)
        )
        try check.compare(with: Self.row("provisional"))
    }

    @Test func `finds a second arrival and the end of a missing one`() {
        #expect(throws: Violation.self) { try Self.follow(.arrived(Self.ranked), .arrived(Self.ranked)) }
        #expect(throws: Violation.self) { try Self.follow(.arrivalConfirmed(Self.ranked)) }
        #expect(throws: Violation.self) { try Self.follow(.arrivalRetracted(.user(1), reason: .backfill)) }
        #expect(throws: Violation.self) { try Self.follow(.rankingRevised([Self.ranked], cause: .arrival)) }
    }

    @Test(.proves("18.4")) func `finds stored arrivals without events`() throws {
        let check = try Self.follow(.arrived(Self.ranked))
        try check.compare(with: Self.row("provisional"))
        #expect(throws: Violation.self) { try check.compare(with: [:]) }
        #expect(throws: Violation.self) { try check.compare(with: Self.row("confirmed")) }
        #expect(throws: Violation.self) { try ArrivalCheck().compare(with: Self.row("provisional")) }
    }
}
