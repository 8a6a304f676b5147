import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedWorld

@Suite struct AudienceCheckTests {
    private static let promise = Promise.sample()

    /// Users 1 and 2 take part in a promise that is tracking, user 3 is invited.
    private static func check(
        at now: Instant = .meeting,
        separated: Set<UserPair> = [],
        paused: Set<UserID> = []
    ) -> AudienceCheck {
        var committed = CommittedRows()
        committed.promises[promise.id] = CommittedRows.PromiseRow(
            ownerID: .user(1),
            opensAt: promise.opensAt,
            closesAt: promise.closesAt,
            isCancelled: false,
            isFinal: false,
            lastSeq: 1
        )
        for (number, membership) in [(1, "accepted"), (2, "accepted"), (3, "invited")] {
            let part = CommittedRows.Part(membership: membership, wasAccepted: number < 3, isExcused: false)
            committed.parts[promise.id, default: [:]][.user(UInt64(number))] = part
        }
        return AudienceCheck(committed: committed, now: now, separated: separated, paused: paused)
    }

    @Test func `participants see each other inside the window`() throws {
        try Self.check().check(positionsOf: [.user(1)], in: Self.promise.id, to: .user(2))
        try Self.check(at: Self.promise.opensAt).check(positionsOf: [.user(1)], in: Self.promise.id, to: .user(2))
    }

    @Test(.defends("positions-outside"))
    func `finds a position for or of an invited user or a stranger`() {
        for (subject, receiver) in [(1, 3), (1, 4), (3, 1), (4, 1)] as [(UInt64, UInt64)] {
            #expect(throws: Violation.self) {
                try Self.check().check(positionsOf: [.user(subject)], in: Self.promise.id, to: .user(receiver))
            }
        }
    }

    @Test func `finds a position outside the window`() {
        for now in [Self.promise.opensAt - .milliseconds(1), Self.promise.closesAt] {
            #expect(throws: Violation.self) {
                try Self.check(at: now).check(positionsOf: [.user(1)], in: Self.promise.id, to: .user(2))
            }
        }
    }

    @Test(.proves("18.7"), .defends("positions-across-blocks")) func `finds a position of a paused participant`() {
        #expect(throws: Violation.self) {
            try Self.check(paused: [.user(1)]).check(positionsOf: [.user(1)], in: Self.promise.id, to: .user(2))
        }
    }

    @Test(.proves("18.8")) func `finds positions across a block, except the user's own`() throws {
        let check = Self.check(separated: [UserPair(.user(1), .user(2))])
        #expect(throws: Violation.self) { try check.check(positionsOf: [.user(1)], in: Self.promise.id, to: .user(2)) }
        for event in [
            PassingEvent.sharing(.user(1), on: true), .status(.user(1), text: "", emoji: ""),
            .nudged(from: .user(1), to: .user(2)),
        ] {
            #expect(throws: Violation.self) {
                try check.check(WireEvent.OneOf_What(event), in: Self.promise.id, to: .user(2))
            }
        }
        try check.check(positionsOf: [.user(2)], in: Self.promise.id, to: .user(2))
        let pace = WireEvent.OneOf_What(PassingEvent.pace(.user(2), nextReport: nil))
        try check.check(pace, in: Self.promise.id, to: .user(2))
    }

    @Test func `finds a notice caused across a block`() throws {
        let check = Self.check(separated: [UserPair(.user(1), .user(2))])
        let card = WireUserCard(UserCard.tombstone(of: .user(1)))
        let notices: [WireEvent.OneOf_What] = [
            .friendRequested(.with { $0.user = card }), .friendAdded(.with { $0.user = card }),
            .notification(.with { $0.notification.user = card }),
        ]
        for notice in notices {
            #expect(throws: Violation.self) { try check.check(notice, in: Self.promise.id, to: .user(2)) }
            try Self.check().check(notice, in: Self.promise.id, to: .user(2))
        }
        // That a friendship ended is how the other learns of a block.
        let removed = WireEvent.OneOf_What.friendRemoved(.with { $0.userID = card.userID })
        try check.check(removed, in: Self.promise.id, to: .user(2))
    }

    @Test func `finds a durable event for a stranger`() throws {
        try Self.check().check(durableEventOf: Self.promise.id, to: .user(3))
        #expect(throws: Violation.self) { try Self.check().check(durableEventOf: Self.promise.id, to: .user(4)) }
    }
}
