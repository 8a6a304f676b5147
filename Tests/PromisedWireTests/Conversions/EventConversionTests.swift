import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@Suite struct EventConversionTests {
    private typealias Samples = DomainSamples

    private static let result = PromiseResult(
        promiseID: Samples.promiseID,
        meetsAt: Samples.meetsAt,
        finalAt: Samples.promise.settlesAt,
        penalty: nil,
        rows: [
            PromiseResult.Row(
                userID: Samples.bob,
                outcome: .excused,
                creditedAt: nil,
                secondsFromMeeting: 0,
                rank: 0,
                source: nil,
                penaltyOwed: 0,
                excusedReason: "ill"
            )
        ]
    )

    private static let view = Samples.view(
        [
            Samples.member(Samples.participant(Samples.ada), arrival: Samples.arrival(of: Samples.ada)),
            Samples.member(Samples.participant(Samples.bob)),
        ],
        result: result
    )

    private func what(_ event: PromiseEvent, in view: SessionView = Self.view) throws -> WireEvent.OneOf_What {
        let wire = WireEvent(NumberedEvent(seq: 9, at: Samples.meetsAt, event: event), in: view, card: Samples.card)
        #expect(wire.promiseID == Samples.promiseID.wireText)
        #expect(wire.seq == 9)
        #expect(wire.at == WireTimestamp(Samples.meetsAt))
        let what = try #require(wire.what)
        #expect(AsyncAPIExamples.name(what) == event.traits.label)
        return what
    }

    @Test(.proves("9.1", "joined", "declined", "left")) func `membership events have the user`() throws {
        let ada = WireUserCard(Samples.card(Samples.ada))
        #expect(try what(.joined(Samples.ada)) == .joined(.with { $0.user = ada }))
        #expect(try what(.declined(Samples.ada)) == .declined(.with { $0.user = ada }))
        #expect(try what(.left(Samples.ada)) == .left(.with { $0.user = ada }))
        #expect(try what(.removed(Samples.ada)) == .removed(.with { $0.user = ada }))
        #expect(try what(.handedOver(Samples.ada)) == .handedOver(.with { $0.ownerID = ada.userID }))
    }

    @Test(.proves("invited"))
    func `an invitation has the invited users without arrivals, an edit with them`() throws {
        guard case .invited(let invited) = try what(.invited(Samples.bob)) else {
            Issue.record("not an invitation")
            return
        }
        #expect(invited.user == WireUserCard(Samples.card(Samples.bob)))
        #expect(invited.promise.participants.map(\.hasArrival) == [false, false])
        guard case .edited(let edited) = try what(.edited) else {
            Issue.record("not an edit")
            return
        }
        #expect(edited.promise.participants.map(\.hasArrival) == [true, false])
        #expect(edited.promise.participants.allSatisfy { !$0.hasPosition && !$0.hasPresence })
    }

    @Test(.proves("trackingStarted", "meetingTime", "late", "trackingEnded"))
    func `the clock's events are empty except for the late participants`() throws {
        #expect(try what(.trackingStarted) == .trackingStarted(WireEvent.TrackingStarted()))
        #expect(try what(.meetingTime) == .meetingTime(WireEvent.MeetingTime()))
        #expect(try what(.trackingEnded) == .trackingEnded(WireEvent.TrackingEnded()))
        let late = try what(.late([Samples.ada, Samples.bob]))
        #expect(late == .late(.with { $0.userIds = [Samples.ada.wireText, Samples.bob.wireText] }))
        #expect(try what(.cancelled(reason: "Rain")) == .cancelled(.with { $0.reason = "Rain" }))
    }

    @Test(.proves("arrived", "arrivalConfirmed", "arrivalRetracted", "rankingRevised"))
    func `arrivals have rank, outcome and the cause of changes`() throws {
        let ranked = Samples.arrival(of: Samples.ada)
        let wire = WireArrival(ranked, of: Samples.promise)
        #expect(try what(.arrived(ranked)) == .arrived(.with { $0.arrival = wire }))
        #expect(try what(.arrivalConfirmed(ranked)) == .arrivalConfirmed(.with { $0.arrival = wire }))
        guard case .arrivalRetracted(let retracted) = try what(.arrivalRetracted(Samples.ada, reason: .leftAgain))
        else {
            Issue.record("not a retraction")
            return
        }
        #expect(retracted.userID == Samples.ada.wireText)
        #expect(retracted.reason == "left-again")
        guard case .rankingRevised(let revised) = try what(.rankingRevised([ranked], cause: .checkIn)) else {
            Issue.record("not a revision")
            return
        }
        #expect(revised.arrivals == [wire])
        #expect(revised.cause == "check-in")
    }

    @Test(.proves("resultFinal")) func `an event has the complete result, or else the promise's id`() throws {
        let wire = WireResult(Self.result, card: Samples.card)
        #expect(try what(.resultFinal) == .resultFinal(.with { $0.result = wire }))
        let open = Samples.view([])
        #expect(
            try what(.resultFinal, in: open)
                == .resultFinal(.with { $0.result.promiseID = Samples.promiseID.wireText })
        )
    }

    @Test func `an excuse has the row of the result`() throws {
        let row = WireResultRow(Self.result.rows[0], card: Samples.card(Samples.bob))
        #expect(try what(.excused(Samples.bob)) == .excused(.with { $0.row = row }))
    }

    @Test func `an excuse before the result has the future row`() throws {
        var participant = Samples.participant(Samples.ada)
        participant.excusedReason = "ill"
        let late = Samples.arrival(of: Samples.ada, at: Samples.meetsAt + .seconds(120))
        let view = Samples.view([Samples.member(participant, arrival: late)])
        guard case .excused(let excused) = try what(.excused(Samples.ada), in: view) else {
            Issue.record("not an excuse")
            return
        }
        #expect(excused.row.outcome == .excused)
        #expect(excused.row.creditedAt == WireTimestamp(late.arrival.creditedAt))
        #expect(excused.row.secondsFromMeeting == 120)
        #expect(excused.row.rank == 1)
        #expect(excused.row.source == .gps)
        #expect(excused.row.penaltyOwed == 0)
        #expect(excused.row.excusedReason == "ill")
    }

    @Test func `transient events have no number`() {
        let slot = TimeSpan.milliseconds(4_750)
        let positions = WireEvent(
            positions: [Samples.position],
            of: Samples.promiseID,
            nextReport: slot,
            at: Samples.meetsAt
        )
        #expect(positions.seq == 0)
        #expect(positions.promiseID == Samples.promiseID.wireText)
        #expect(positions.positions.positions == [WirePosition(Samples.position)])
        #expect(positions.positions.nextReportMs == 4_750)
    }

    @Test func `a transient event has its kind and no number`() {
        let (ada, bob) = (Samples.ada, Samples.bob)
        let band = ArrivalEstimate.Band(
            medianAt: Samples.meetsAt,
            lowAt: Samples.meetsAt - .minutes(1),
            highAt: Samples.meetsAt + .minutes(1)
        )
        let pairs: [(PassingEvent, WireEvent.OneOf_What)] = [
            (
                .cannotCount(ada, errorMetres: 80, limitMetres: 70),
                .cannotCount(
                    .with {
                        $0.errorMetres = 80
                        $0.limitMetres = 70
                    }
                )
            ),
            (.pace(ada, nextReport: nil), .pace(.with { $0.nextReportMs = 0 })),
            (.pace(ada, nextReport: .seconds(30)), .pace(.with { $0.nextReportMs = 30_000 })),
            (
                .sharing(ada, on: true),
                .sharingChanged(
                    .with {
                        $0.userID = ada.wireText
                        $0.on = true
                    }
                )
            ),
            (
                .status(ada, text: "Soon", emoji: "🚲"),
                .statusChanged(
                    .with {
                        $0.userID = ada.wireText
                        $0.text = "Soon"
                        $0.emoji = "🚲"
                    }
                )
            ),
            (.viewers(3), .viewersChanged(.with { $0.count = 3 })),
            (
                .linkSharing(ada, on: true),
                .linkSharingChanged(
                    .with {
                        $0.userID = ada.wireText
                        $0.on = true
                    }
                )
            ),
            (
                .nudged(from: ada, to: bob),
                .nudged(
                    .with {
                        $0.from = ada.wireText
                        $0.userID = bob.wireText
                    }
                )
            ),
            (
                .estimate(ada, ArrivalEstimate(band: band, state: .atRisk)),
                .eta(
                    .with {
                        $0.userID = ada.wireText
                        $0.eta.medianAt = WireTimestamp(band.medianAt)
                        $0.eta.lowAt = WireTimestamp(band.lowAt)
                        $0.eta.highAt = WireTimestamp(band.highAt)
                        $0.eta.state = .atRisk
                    }
                )
            ),
        ]
        for (passing, expected) in pairs {
            let event = WireEvent(passing: passing, of: Samples.promiseID, at: Samples.meetsAt)
            #expect(event.what == expected)
            #expect(event.seq == 0)
            #expect(event.promiseID == Samples.promiseID.wireText)
        }
    }

    @Test func `an unknown estimate has no instants`() {
        let wire = WireEta(ArrivalEstimate(band: nil, state: .unknown))
        #expect(!wire.hasMedianAt && !wire.hasLowAt && !wire.hasHighAt)
        #expect(wire.state == .unknown)
    }

    @Test func `events for one user have no promise`() {
        let event = WireEvent(personal: .friendRemoved(.with { $0.userID = "u" }), at: Samples.meetsAt)
        #expect(event.promiseID == "")
        #expect(event.seq == 0)
        #expect(event.at == WireTimestamp(Samples.meetsAt))
    }
}
