import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import Testing

/// Why there is no arrival, or only a pending one, as messages (domain §6.9).
@Suite struct NoArrivalConversionTests {
    private typealias Samples = DomainSamples

    private static let device = DeviceKey(deviceID: "phone", bootID: "1")

    /// The reason for no arrival after fixes with these seconds, metres and accuracies.
    private static func why(
        _ way: [(at: Double, metres: Double, accuracy: Double)],
        refused: [Refusal] = []
    ) -> NoArrival {
        var promise = Samples.promise
        (promise.rule, promise.radiusMetres) = (ArrivalRule(), 50)
        let place = Samples.place.coordinate
        let fixes = way.enumerated().map { index, point in
            let time = Samples.meetsAt + .seconds(point.at)
            let position = Coordinate(latitude: place.latitude + point.metres / 111_195, longitude: place.longitude)
            let fix = SettledFix(
                seq: UInt32(index + 1),
                coordinate: position,
                accuracyMetres: point.accuracy,
                time: time,
                receivedAt: time
            )
            return ArchivedFix(userID: Samples.ada, device: device, fix: fix)
        }
        let refusals = refused.enumerated().map { index, reason in
            RefusedFix(device: device, seq: UInt32(90 + index), receivedAt: Samples.meetsAt, reason: reason)
        }
        let tracks = ExplainedTrack.judge(fixes, of: promise)
        return NoArrival(tracks, refused: refusals, of: promise, at: Samples.meetsAt + .minutes(30))
    }

    private static func explanation(_ why: NoArrival, isDeleted: Bool = false) -> WireExplanation {
        var card = Samples.card(Samples.ada)
        card.isDeleted = isDeleted
        let member = Samples.member(Samples.participant(Samples.ada), arrival: nil)
        var explanation = WireExplanation(member, of: Samples.promise, card: card)
        explanation.add(why, unless: nil)
        return explanation
    }

    @Test(.proves("6.19")) func `sends exactly the known values`() {
        let way = [(0.0, 30.0, 10.0), (5, 20, 10), (10, 90, 10), (15, 100, 12), (20, 15, 90)]
        let wire = Self.explanation(Self.why(way, refused: [.positionMock, .positionInvalid, .positionMock])).noArrival
        #expect(wire.reason == .passed)
        #expect(wire.deviceID == "phone")
        #expect([wire.radiusMetres, wire.limitMetres] == [50, 70])
        let counts = [wire.accepted, wire.inside, wire.outside, wire.unusable, wire.unusableInside]
        #expect(counts == [5, 2, 2, 1, 1])
        #expect(wire.refused.map(\.code) == ["position.invalid", "position.mock"])
        #expect(wire.refused.map(\.count) == [1, 2])
        #expect(wire.leastErrorMetres == 90)
        #expect(wire.nearestMetres.rounded() == 20 && wire.nearestErrorMetres == 10)
        #expect(wire.nearestAt == WireTimestamp(Samples.meetsAt + .seconds(5)))
        #expect(wire.insideMs == 5_000)
        #expect(wire.lastAt == WireTimestamp(Samples.meetsAt + .seconds(20)))
        #expect(wire.retraction.cause == .passed)
        #expect(wire.retraction.creditedAt == WireTimestamp(Samples.meetsAt))
        #expect(wire.retraction.at == WireTimestamp(Samples.meetsAt + .seconds(15)))
        let empty = Self.explanation(Self.why([])).noArrival
        #expect(empty.reason == .noPosition)
        #expect(!empty.hasLeastErrorMetres && !empty.hasNearestMetres && !empty.hasNearestErrorMetres)
        #expect(!empty.hasNearestAt && !empty.hasInsideMs && !empty.hasLastAt && !empty.hasRetraction)
    }

    @Test func `sends neither a reason beside an arrival nor the device of a deleted user`() {
        let why = Self.why([(0, 30, 90)])
        #expect(Self.explanation(why).noArrival.deviceID == "phone")
        #expect(Self.explanation(why, isDeleted: true).noArrival.deviceID.isEmpty)
        var explanation = WireExplanation()
        explanation.add(why, unless: Samples.arrival(of: Samples.ada, at: Samples.meetsAt))
        #expect(!explanation.hasNoArrival)
    }

    @Test func `each reason has its value`() {
        let values: [(NoArrival.Reason, WireNoArrivalReason.Value)] = [
            (.noPosition, .noPosition), (.passed, .passed), (.tooShort, .tooShort),
            (.tooInaccurate, .tooInaccurate), (.outside, .outside),
        ]
        #expect(values.map(\.0) == NoArrival.Reason.allCases)
        for (reason, value) in values { #expect(WireNoArrivalReason.Value(reason) == value) }
    }

    @Test(.proves("6.19")) func `the credited time has its uncertainty`() {
        // 60 m in 30 s are 2 m/s: the larger error of 12 m is 6 s.
        for (outside, inside) in [(12.0, 8.0), (8, 12)] {
            let crossing = Self.crossing(outside, inside)
            #expect(crossing.uncertaintyMs == 6_000)
            #expect([crossing.outsideErrorMetres, crossing.insideErrorMetres] == [outside, inside])
        }
        let former = Self.crossing(nil, nil)
        #expect(former.hasOutsideAt && !former.hasUncertaintyMs && !former.hasInsideErrorMetres)
    }

    private static func crossing(_ outside: Double?, _ inside: Double?) -> WireCrossing {
        let evidence = ArrivalEvidence(
            device: device,
            clause: .settled,
            provisionalAt: Samples.meetsAt + .seconds(30),
            firstInside: .init(time: Samples.meetsAt + .seconds(10), distanceMetres: 20, errorMetres: inside),
            lastOutside: .init(time: Samples.meetsAt - .seconds(20), distanceMetres: 80, errorMetres: outside),
            fixCount: 4,
            strongCount: 3,
            ruleVersion: outside == nil ? nil : 2
        )
        var ranked = Samples.arrival(of: Samples.ada, at: Samples.meetsAt)
        ranked.arrival.evidence = evidence
        let member = Samples.member(Samples.participant(Samples.ada), arrival: ranked)
        let why = WireExplanation(member, of: Samples.promise, card: Samples.card(Samples.ada))
        return why.crossing
    }
}
