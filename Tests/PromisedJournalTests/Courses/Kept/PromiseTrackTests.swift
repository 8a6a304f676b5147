import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct PromiseTrackTests {
    private static let promise = Promise.sample()

    /// Fixes of a device on the way to the place, one each 10 s from 300 s before the meeting on.
    private static func fixes(_ count: Int, _ device: String, boot: String = "", from first: Int = 0) -> [ArchivedFix] {
        (first..<first + count).map { number in
            let fix = SettledFix.sample(
                seq: UInt32(number + 1),
                at: promise.meetsAt - .seconds(300) + .seconds(Double(number) * 10),
                metres: 400 - Double(number) * 10
            )
            return ArchivedFix(
                userID: .user(1),
                device: DeviceKey(deviceID: device, bootID: boot),
                fix: fix
            )
        }
    }

    private static func arrival(at instant: Instant, by device: String?) -> Arrival {
        let sample = ArrivalEvidence.Sample(time: instant, distanceMetres: 10)
        let evidence = device.map { device in
            ArrivalEvidence(
                device: DeviceKey(deviceID: device, bootID: "b"),
                clause: .settled,
                provisionalAt: instant,
                firstInside: sample,
                lastOutside: nil,
                fixCount: 2,
                strongCount: 1
            )
        }
        return Arrival(stage: .confirmed, creditedAt: instant, source: .gps, evidence: evidence)
    }

    @Test(.proves("17.5")) func `the way ends two minutes after the arrival, or with the window`() {
        let fixes = Self.fixes(60, "phone").shuffled()
        let arrived = Track(
            of: fixes,
            arrival: Self.arrival(at: Self.promise.meetsAt, by: "phone"),
            in: Self.promise
        )
        // From −300 s to 120 s, both ends included.
        #expect(arrived.points.count == 43 && arrived.segments.count == 1)
        #expect(arrived.points.last?.time == Self.promise.meetsAt + .minutes(2))
        #expect(arrived.points.first?.accuracyMetres == 10)
        #expect(Track(of: fixes, arrival: nil, in: Self.promise).points.count == 60)
        #expect(Track(of: [], arrival: nil, in: Self.promise).isEmpty)
    }

    @Test(.proves("17.5")) func `uses the device that arrived, else the one with most fixes`() {
        let fixes = Self.fixes(5, "watch") + Self.fixes(20, "phone")
        let byWatch = Self.arrival(at: Self.promise.meetsAt, by: "watch")
        let byHand = Self.arrival(at: Self.promise.meetsAt, by: nil)
        #expect(Track(of: fixes, arrival: byWatch, in: Self.promise).points.count == 5)
        #expect(Track(of: fixes, arrival: byHand, in: Self.promise).points.count == 20)
        #expect(Track(of: fixes, arrival: nil, in: Self.promise).points.count == 20)
    }

    @Test func `ignores a wrong first fix and loses no true one`() {
        var fixes = Self.fixes(31, "phone")
        fixes[0].fix.coordinate = Coordinate(latitude: 1, longitude: 127)
        // 40 m/s, so that no fix agrees with the previous one.
        for index in fixes.indices.dropFirst() {
            fixes[index].fix.coordinate.latitude += Double(index) * 0.0036
        }
        let track = Track(of: fixes, arrival: nil, in: Self.promise)
        #expect(track.points.count == 31)
        let clean = CleanTrack(track, at: Self.promise.settlesAt)
        #expect(clean.track.points == Array(track.points.dropFirst()))
    }

    @Test func `a restart of the device starts a segment`() {
        let fixes = Self.fixes(5, "phone", boot: "b", from: 5) + Self.fixes(5, "phone", boot: "a")
        let track = Track(of: fixes, arrival: nil, in: Self.promise)
        #expect(track.segments.map(\.count) == [5, 5])
        #expect(track.points.compactMap(\.time) == track.points.compactMap(\.time).sorted())
    }
}
