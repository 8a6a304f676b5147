import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite struct PromiseConversionTests {
    private typealias Samples = DomainSamples
    private let now = DomainSamples.meetsAt - .minutes(1)

    private var members: [SessionView.Member] {
        [
            Samples.member(Samples.participant(Samples.ada), arrival: Samples.arrival(of: Samples.ada)),
            Samples.member(Samples.participant(Samples.bob, .invited)),
        ]
    }

    @Test func `shows a promise with all its fields`() {
        let participant = WireParticipant(Samples.participant(Samples.ada), card: Samples.card(Samples.ada))
        let wire = WirePromise(Samples.promise, status: .scheduled, participants: [participant], participantCount: 2)
        #expect(wire.promiseID == Samples.promiseID.wireText)
        #expect(wire.title == "Lunch")
        #expect(wire.note == "Bring the book")
        #expect(wire.place == WirePlace(Samples.place))
        #expect(wire.meetsAt.seconds == 1_795_251_600)
        #expect(wire.radiusMetres == 80)
        #expect(wire.penalty.amount == 5_000)
        #expect(wire.ownerID == Samples.ada.wireText)
        #expect(wire.status == .scheduled)
        #expect(wire.version == 3)
        #expect(wire.opensAt.seconds == 1_795_251_600 - 1_800)
        #expect(wire.closesAt.seconds == 1_795_251_600 + 10_800)
        #expect(wire.settlesAt.seconds == 1_795_251_600 + 11_700)
        #expect(wire.rule == WireRule(Samples.promise.rule))
        #expect(wire.participants == [participant])
        #expect(wire.participantCount == 2)
    }

    @Test(arguments: [(9, 9), (10, 10), (11, 10)] as [(Int64, UInt32)])
    func `shows the effective grace if it is longer than the window`(stored: Int64, shown: UInt32) {
        var promise = Samples.promise
        promise.spans.after = .minutes(10)
        promise.rule.grace = .minutes(stored)
        let wire = WirePromise(promise, status: .final, participants: [], participantCount: 0)
        #expect(wire.rule.graceMs == shown * 60_000)
    }

    @Test func `a promise without a penalty has none on the wire`() {
        var promise = Samples.promise
        promise.penalty = nil
        #expect(!WirePromise(promise, status: .final, participants: [], participantCount: 0).hasPenalty)
    }

    @Test(.proves("4.8")) func `an invited user sees the participants but no positions`() throws {
        let wire = WirePromise(Samples.view(members), detail: .membership, card: Samples.card)
        #expect(wire.participants.map(\.user.nickname) == ["ada", "bob"])
        #expect(wire.participants.map(\.membership) == [.accepted, .invited])
        #expect(wire.participants.allSatisfy { !$0.hasArrival && !$0.hasPosition && !$0.hasPresence })
    }

    @Test func `durable events show arrivals and no presence`() {
        let wire = WirePromise(Samples.view(members), detail: .arrivals, card: Samples.card)
        #expect(wire.participants.map(\.hasArrival) == [true, false])
        #expect(wire.participants.allSatisfy { !$0.hasPosition && !$0.hasPresence })
    }

    @Test(.proves("5.18")) func `a participant who accepted sees presence, estimate and status as in the view`() {
        var shown = members
        let presence = Presence(userID: Samples.ada, freshness: .stale, cause: .noFix)
        let estimate = ArrivalEstimate(band: nil, state: .approaching)
        shown[0].presence = presence
        shown[0].estimate = estimate
        shown[0].participant.statusText = "Soon"
        shown[0].participant.emoji = "🚲"
        let wire = WirePromise(Samples.view(shown), detail: .live, card: Samples.card)
        #expect(wire.participants.map(\.hasPresence) == [true, false])
        #expect(wire.participants[0].presence == WirePresence(presence))
        #expect(wire.participants[0].eta == WireEta(estimate))
        #expect(wire.participants[0].statusText == "Soon")
        #expect(wire.participants[0].emoji == "🚲")
        for detail in [ParticipantDetail.membership, .arrivals] {
            let less = WirePromise(Samples.view(shown), detail: detail, card: Samples.card).participants[0]
            #expect(!less.hasPresence && !less.hasEta && less.statusText.isEmpty && less.emoji.isEmpty)
        }
    }

    @Test(.proves("2.14")) func `hides the status of a deleted user`() {
        var shown = members
        (shown[0].participant.statusText, shown[0].participant.emoji) = ("Soon", "🚲")
        for isDeleted in [false, true] {
            let wire = WirePromise(Samples.view(shown), detail: .live) { userID in
                var card = Samples.card(userID)
                card.isDeleted = isDeleted
                return card
            }
            #expect(wire.participants[0].statusText == (isDeleted ? "" : "Soon"))
            #expect(wire.participants[0].emoji == (isDeleted ? "" : "🚲"))
        }
    }

    @Test func `shows only accepted participants as sharing`() {
        for membership in Participant.Membership.allCases {
            let wire = WireParticipant(Samples.participant(Samples.ada, membership), card: Samples.card(Samples.ada))
            #expect(wire.sharing == (membership == .accepted))
        }
    }

    @Test func `counts only current participants`() {
        let memberships = Participant.Membership.allCases
        let view = Samples.view(memberships.map { Samples.member(Samples.participant(Samples.ada, $0)) })
        let wire = WirePromise(view, detail: .membership, card: Samples.card)
        #expect(wire.participants.count == 5)
        #expect(wire.participantCount == 2)
    }

    @Test(.proves("4.5")) func `a reply has the overlapping promises`() {
        let promise = WirePromise(Samples.promise, status: .scheduled, participants: [], participantCount: 1)
        let reply = WirePromiseReply(promise, overlaps: [WireOverlap(Samples.promise)])
        #expect(reply.promise == promise)
        #expect(reply.overlaps.map(\.promiseID) == [Samples.promiseID.wireText])
        #expect(reply.overlaps.map(\.title) == ["Lunch"])
        #expect(reply.overlaps.map(\.meetsAt) == [WireTimestamp(Samples.meetsAt)])
    }

    @Test func `decodes encoded memberships and states unchanged, and unknown ones as none`() {
        for membership in Participant.Membership.allCases {
            #expect(Participant.Membership(WireMembership.Value(membership)) == membership)
        }
        for status in PromiseStatus.allCases { #expect(PromiseStatus(WirePromiseStatus.Value(status)) == status) }
        #expect(Participant.Membership(.unspecified) == nil)
        #expect(Participant.Membership(.UNRECOGNIZED(99)) == nil)
        #expect(PromiseStatus(.unspecified) == nil)
        #expect(PromiseStatus(.UNRECOGNIZED(99)) == nil)
    }

    // MARK: - Friendships

    @Test func `a friendship looks different from its two sides`() throws {
        let (ada, bob) = (Samples.ada, Samples.bob)
        let none = Friendship.Counts(mine: 0, theirs: 0, outgoing: 0)
        var friendship = Friendship(between: ada, and: bob, since: now)
        #expect(states(of: friendship) == [.none, .none])
        try friendship.request(by: ada, counts: none, at: now)
        #expect(states(of: friendship) == [.requestedByMe, .requestedByThem])
        try friendship.accept(by: bob, counts: none, at: now)
        #expect(states(of: friendship) == [.friends, .friends])
        friendship.state = .none
        friendship.blockedBy = [ada]
        #expect(states(of: friendship) == [.blocked, .none])

        let strangers = WireFriendship(nil, seenBy: ada, other: Samples.card(bob))
        #expect(strangers.state == .none)
        #expect(strangers.user.nickname == "bob")
    }

    /// As seen by the two sample users.
    private func states(of friendship: Friendship) -> [WireFriendshipState.Value] {
        [
            WireFriendship(friendship, seenBy: Samples.ada, other: Samples.card(Samples.bob)).state,
            WireFriendship(friendship, seenBy: Samples.bob, other: Samples.card(Samples.ada)).state,
        ]
    }
}
