import PromisedDomain
import PromisedTestSupport

/// Domain §6.4, *came together*, implemented literally.
enum NaivePairs {
    /// The finding about accepted fixes of two devices, in order; nil: they did not come together.
    static func judge(
        _ pair: UserPair,
        _ one: [SettledFix],
        _ other: [SettledFix],
        _ creditedAt: Instant
    ) -> CameTogether? {
        let ways = [one, other].map { $0.filter { $0.errorMetres <= 150 } }
        var distances: [Double] = []
        var errors: [Double] = []
        for (mine, theirs) in [(ways[0], ways[1]), (ways[1], ways[0])] {
            for fix in mine where creditedAt - .seconds(120) <= fix.time && fix.time <= creditedAt {
                guard let before = theirs.last(where: { $0.time < fix.time }),
                    let after = theirs.first(where: { $0.time >= fix.time }),
                    (after.time - before.time).milliseconds <= 60_000
                else { continue }
                let share = (fix.time - before.time).seconds / (after.time - before.time).seconds
                let (from, to) = (before.coordinate, after.coordinate)
                let place = Coordinate(
                    latitude: from.latitude + (to.latitude - from.latitude) * share,
                    longitude: from.longitude + (to.longitude - from.longitude) * share
                )
                distances.append(fix.coordinate.distanceMetres(to: place))
                let error = max(before.errorMetres, after.errorMetres)
                errors.append((fix.errorMetres * fix.errorMetres + error * error).squareRoot())
            }
        }
        guard distances.count >= 6 else { return nil }
        let distance = distances.sorted()[distances.count / 2]
        let limit = max(30, min(80, 1.5 * errors.sorted()[errors.count / 2]))
        guard distance <= limit else { return nil }
        return CameTogether(
            pair: pair,
            medianDistanceMetres: distance,
            limitMetres: limit,
            momentCount: distances.count,
            creditedAt: creditedAt
        )
    }

    /// The pairs among arrivals, by their participants' stored fixes.
    static func among(_ arrivals: [UserID: Arrival], in snapshot: SessionSnapshot) -> [UserPair: CameTogether] {
        var found: [UserPair: CameTogether] = [:]
        let people = arrivals.keys.sorted()
        for (index, first) in people.enumerated() {
            for second in people[(index + 1)...] {
                guard let one = arrivals[first], let other = arrivals[second] else { continue }
                let times = [one.creditedAt, other.creditedAt].sorted()
                guard times[1] - times[0] <= .seconds(300),
                    let mine = way(of: first, one, in: snapshot, at: times[1]),
                    let theirs = way(of: second, other, in: snapshot, at: times[1])
                else { continue }
                let pair = UserPair(first, second)
                found[pair] = judge(pair, mine, theirs, times[0])
            }
        }
        return found
    }

    /// The accepted fixes of the device that arrived; nil if the arrival counts for no pair.
    private static func way(
        of userID: UserID,
        _ arrival: Arrival,
        in snapshot: SessionSnapshot,
        at later: Instant
    ) -> [SettledFix]? {
        guard arrival.source == .gps, snapshot.promise.rule.name == .robust, let evidence = arrival.evidence,
            let part = snapshot.participants.first(where: { $0.userID == userID }), let acceptedAt = part.acceptedAt,
            part.endedAt.map({ $0 > later }) ?? true
        else { return nil }
        let theirs = snapshot.fixes.filter { $0.userID == userID }
        let cameBack = evidence.provisionalAt < acceptedAt && theirs.contains { $0.fix.receivedAt < acceptedAt }
        guard cameBack || acceptedAt <= later else { return nil }
        let mine = theirs.filter { $0.device == evidence.device }
        return ExplainedTrack.judge(mine.filter { cameBack || $0.fix.receivedAt >= acceptedAt }, of: snapshot.promise)
            .flatMap(\.fixes)
            .filter { if case .accepted = $0.verdict { true } else { false } }
            .map(\.fix)
    }
}
