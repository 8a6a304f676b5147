import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

/// Explanations of an arrival and of each fix, as messages (domain §6.9).
@Suite struct ExplanationConversionTests {
    private typealias Samples = DomainSamples

    private static let device = DeviceKey(deviceID: "phone", bootID: "1")

    /// An arrival by positions: 80 m away 20 s before the instant that counts, 20 m away 10 s after it.
    private static func explanation(
        _ clause: ArrivalEvidence.Clause,
        confirmedAt: Instant?,
        creditedAfter seconds: Double = 0,
        isDeleted: Bool = false
    ) -> WireExplanation {
        let creditedAt = Samples.meetsAt + .seconds(seconds)
        let evidence = ArrivalEvidence(
            device: device,
            clause: clause,
            provisionalAt: Samples.meetsAt + .seconds(30),
            confirmedAt: confirmedAt,
            firstInside: ArrivalEvidence.Sample(time: Samples.meetsAt + .seconds(10), distanceMetres: 20),
            lastOutside: ArrivalEvidence.Sample(time: Samples.meetsAt - .seconds(20), distanceMetres: 80),
            fixCount: 4,
            strongCount: 3
        )
        var ranked = Samples.arrival(of: Samples.ada, at: creditedAt)
        ranked.arrival.evidence = evidence
        let member = Samples.member(Samples.participant(Samples.ada), arrival: ranked)
        var card = Samples.card(Samples.ada)
        card.isDeleted = isDeleted
        return WireExplanation(member, of: Samples.promise, card: card)
    }

    @Test(
        .proves("6.15"),
        arguments: [
            (.settled, .settled), (.lingering, .lingering), (.silent, .silent), (.firstFix, .firstFix),
        ] as [(ArrivalEvidence.Clause, WireArrivalClause.Value)]
    )
    func `an explanation has the clause, the device and the instants of the decision`(
        clause: ArrivalEvidence.Clause,
        named: WireArrivalClause.Value
    ) {
        let why = Self.explanation(clause, confirmedAt: Samples.meetsAt + .seconds(150))
        #expect(why.clause == named)
        #expect(why.deviceID == "phone")
        #expect(why.provisionalAt == WireTimestamp(Samples.meetsAt + .seconds(30)))
        #expect(why.hasConfirmedAt)
        #expect(why.confirmedAt == WireTimestamp(Samples.meetsAt + .seconds(150)))
        #expect(!Self.explanation(clause, confirmedAt: nil).hasConfirmedAt)
    }

    @Test(.proves("6.26")) func `an explanation has the other participant of a pair and its numbers`() {
        let pair = CameTogether(
            pair: UserPair(Samples.ada, Samples.bob),
            medianDistanceMetres: 9.25,
            limitMetres: 42.5,
            momentCount: 48,
            creditedAt: Samples.meetsAt - .seconds(60)
        )
        let told = WireCameTogether(pair, card: Samples.card(Samples.bob))
        #expect(told.user == WireUserCard(Samples.card(Samples.bob)))
        #expect(told.medianDistanceMetres == 9.25 && told.limitMetres == 42.5 && told.moments == 48)
        #expect(told.creditedAt == WireTimestamp(Samples.meetsAt - .seconds(60)))
    }

    @Test(.proves("2.14")) func `hides the device of a deleted user`() {
        let why = Self.explanation(.settled, confirmedAt: nil, isDeleted: true)
        #expect(why.clause == .settled && why.deviceID.isEmpty)
    }

    @Test(.proves("6.15")) func `an explanation has the two fixes around the crossing of the circle`() {
        let why = Self.explanation(.settled, confirmedAt: nil)
        #expect(why.crossing.outsideAt == WireTimestamp(Samples.meetsAt - .seconds(20)))
        #expect(why.crossing.outsideDistanceMetres == 80)
        #expect(why.crossing.insideAt == WireTimestamp(Samples.meetsAt + .seconds(10)))
        #expect(why.crossing.insideDistanceMetres == 20)
        // Credited at the first fix inside: a single fix gave the time.
        #expect(!Self.explanation(.settled, confirmedAt: nil, creditedAfter: 10).hasCrossing)
    }

    @Test(.proves("6.15")) func `each fix has its distance, its error and its verdict`() {
        // Seconds, metres to the place, accuracy, seconds until it was received.
        let way: [(at: Double, metres: Double, accuracy: Double?, delay: Double)] = [
            (0, 400, 10, 0), (5, 390, 12, 60), (10, 380, nil, 0), (60, 20, 8, 0), (70, 10, 3, 0), (80, 10, 600, 0),
        ]
        let fixes = way.enumerated().map { index, point in
            let place = Samples.place.coordinate
            let time = Samples.meetsAt + .seconds(point.at)
            let fix = SettledFix(
                seq: UInt32(index + 1),
                coordinate: Coordinate(latitude: place.latitude + point.metres / 111_195, longitude: place.longitude),
                accuracyMetres: point.accuracy,
                time: time,
                receivedAt: time + .seconds(point.delay)
            )
            return ArchivedFix(userID: Samples.ada, device: Self.device, fix: fix)
        }
        var promise = Samples.promise
        (promise.rule, promise.radiusMetres) = (ArrivalRule(), 50)
        let explained = ExplainedTrack.judge(fixes, of: promise).fixes.map { WireExplainedFix($0, limitMetres: 70) }
        #expect(explained.map(\.seq) == [1, 2, 3, 4, 5, 6])
        #expect(explained.map { $0.distanceMetres.rounded() } == [400, 390, 380, 20, 10, 10])
        #expect(explained.map(\.errorMetres) == [10, 12, 50, 8, 5, 600])
        #expect(explained.map(\.use) == [.outside, .covered, .outside, .strong, .strong, .unusable])
        #expect(explained[1].receivedAt == WireTimestamp(Samples.meetsAt + .seconds(65)))
        #expect(explained.allSatisfy { $0.deviceID == "phone" && $0.code.isEmpty })
    }
}
