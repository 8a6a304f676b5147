import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The events that reach people watching by a link; 1 agreed, 2 did not.
@Suite struct ViewerVisibilityTests {
    static let shown: Set<UserID> = [.user(1)]

    static func ranked(_ user: UInt64, rank: Int) -> RankedArrival {
        let arrival = Arrival(stage: .provisional, creditedAt: .meeting, source: .gps)
        return RankedArrival(userID: .user(user), arrival: arrival, rank: rank)
    }

    struct Row: Sendable {
        var event: PromiseEvent
        var seen: PromiseEvent?
    }

    @Test(
        .proves("4.18"),
        arguments: [
            Row(event: .trackingStarted, seen: .trackingStarted),
            Row(event: .meetingTime, seen: .meetingTime),
            Row(event: .late([.user(1), .user(2)]), seen: .late([.user(1)])),
            Row(event: .late([.user(2)]), seen: .late([])),
            Row(event: .arrived(ranked(1, rank: 2)), seen: .arrived(ranked(1, rank: 2))),
            Row(event: .arrived(ranked(2, rank: 1))),
            Row(event: .arrivalConfirmed(ranked(1, rank: 2)), seen: .arrivalConfirmed(ranked(1, rank: 2))),
            Row(event: .arrivalConfirmed(ranked(2, rank: 1))),
            Row(
                event: .arrivalRetracted(.user(1), reason: .leftAgain),
                seen: .arrivalRetracted(.user(1), reason: .leftAgain)
            ),
            Row(event: .arrivalRetracted(.user(2), reason: .leftAgain)),
            Row(
                event: .rankingRevised([ranked(2, rank: 1), ranked(1, rank: 2)], cause: .arrival),
                seen: .rankingRevised([ranked(1, rank: 2)], cause: .arrival)
            ),
            Row(event: .rankingRevised([ranked(2, rank: 1)], cause: .arrival)),
            // In the owner's words.
            Row(event: .cancelled(reason: "Ada is ill"), seen: .cancelled(reason: "")),
            // Their view of the promise lists its people, so they receive no membership events.
            Row(event: .invited(.user(1))), Row(event: .joined(.user(1))), Row(event: .declined(.user(1))),
            Row(event: .left(.user(1))), Row(event: .removed(.user(1))), Row(event: .handedOver(.user(1))),
            Row(event: .edited), Row(event: .excused(.user(1))),
            // There are no viewers by then.
            Row(event: .trackingEnded), Row(event: .resultFinal),
            Row(event: .viewLinkCreated(until: .meeting)), Row(event: .viewLinkRevoked),
        ]
    )
    func `durable events contain only participants with consent`(row: Row) {
        #expect(row.event.seenByViewers(of: Self.shown) == row.seen)
    }

    @Test(.proves("4.18")) func `transient events contain only participants with consent`() {
        let presences = [1, 2].map { Presence(userID: .user($0), freshness: .live) }
        let estimate = ArrivalEstimate(band: nil, state: .unknown)
        let rows: [(PassingEvent, PassingEvent?)] = [
            (.presence(presences), .presence([presences[0]])), (.presence([presences[1]]), nil),
            (.estimate(.user(1), estimate), .estimate(.user(1), estimate)), (.estimate(.user(2), estimate), nil),
            (.sharing(.user(1), on: false), .sharing(.user(1), on: false)), (.sharing(.user(2), on: false), nil),
            (.status(.user(1), text: "a", emoji: ""), .status(.user(1), text: "a", emoji: "")),
            (.status(.user(2), text: "a", emoji: ""), nil),
            (.nudged(from: .user(1), to: .user(1)), nil), (.pace(.user(1), nextReport: nil), nil),
            (.viewers(3), nil), (.linkSharing(.user(1), on: true), nil),
        ]
        for (event, seen) in rows { #expect(event.seenByViewers(of: Self.shown) == seen, "\(event)") }
    }

    @Test func `edits and a new owner change the promise for viewers`() {
        #expect(PromiseEvent.edited.changesPromiseForViewers)
        #expect(PromiseEvent.handedOver(.user(2)).changesPromiseForViewers)
        #expect(!PromiseEvent.joined(.user(2)).changesPromiseForViewers)
    }

    @Test(.proves("4.18")) func `ranks count all participants`() throws {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: -60)
        world.arrive(1, at: 0)
        let now = Instant.meeting + .seconds(10)
        let view = world.machine.view(at: now)
        let seen = view.seenByViewers(of: Self.shown, live: view)
        #expect(seen.members.map(\.participant.userID) == [.user(1)])
        #expect(seen.members.first?.arrival?.rank == 2)
        #expect(seen.members.first?.live.position != nil)
    }

    @Test func `hides note and penalty from viewers`() {
        var promise = Promise.sample(penalty: Penalty(amount: 5_000, currency: "KRW"))
        promise.note = "Bring the present"
        let world = SessionWorld(promise, accepted: 2)
        let view = world.machine.view(at: .meeting)
        let seen = view.seenByViewers(of: [], live: view)
        #expect(seen.promise.note.isEmpty)
        #expect(seen.promise.penalty == nil)
        #expect(seen.members.isEmpty)
        #expect(seen.lastSeq == 0)
        #expect(seen.promise.place == promise.place)
        #expect(seen.promise.title == promise.title)
        #expect(seen.promise.ownerID == promise.ownerID)
    }

    @Test func `an estimate does not reveal an arrival before it is durable`() {
        var world = SessionWorld(accepted: 1)
        let before = world.machine.view(at: .meeting - .seconds(1))
        world.arrive(1, at: 0)
        let live = world.machine.view(at: .meeting + .seconds(6))
        #expect(live.members[0].estimate?.state == .arrived)
        let seen = before.seenByViewers(of: Self.shown, live: live)
        #expect(seen.members[0].arrival == nil)
        #expect(seen.members[0].estimate == nil)
        #expect(seen.members[0].live.position?.estimate == nil)
    }

    @Test func `hides the position of a paused participant from viewers`() {
        var world = SessionWorld(accepted: 1)
        world.walk(1, [(-60, 500)])
        let before = world.machine.view(at: .meeting - .seconds(59))
        #expect(before.members[0].live.position != nil)
        world.send(.setSharing(.user(1), on: false), at: .meeting - .seconds(58))
        let seen = before.seenByViewers(of: Self.shown, live: world.machine.view(at: .meeting - .seconds(58)))
        #expect(seen.members[0].live.position == nil)
    }
}
