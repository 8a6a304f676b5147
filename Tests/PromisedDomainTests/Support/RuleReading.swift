import PromisedDomain
import PromisedTestSupport

/// Domain §6, points 1 to 3 read a second time, slowly: lists are searched again for each question.
struct RuleReading {
    /// An arrival, current or retracted.
    struct Found: Equatable {
        var provisional: Instant
        var confirmed: Instant?
        var credited: Instant
        var retracted: Instant?
        var cause: ArrivalDetector.Retraction.Cause?
    }

    /// The part of the rule after a decision: its first fix, and the last fix outside before it.
    private struct Start {
        var index = 0
        var outside: Int?
    }

    let radius: Double
    let opensAt: Instant
    let settlesAt: Instant
    /// In order, accepted.
    let fixes: [SettledFix]
    private let metres: [Double]
    private let errors: [Double]

    init(_ fixes: [SettledFix], radius: Double, opensAt: Instant, settlesAt: Instant) {
        (self.fixes, self.radius, self.opensAt, self.settlesAt) = (fixes, radius, opensAt, settlesAt)
        metres = fixes.map { $0.coordinate.distanceMetres(to: .meetingPlace) }
        errors = fixes.map { fix in fix.accuracyMetres.map { $0 == 0 ? 50 : max($0, 5) } ?? 50 }
    }

    /// All arrivals up to an instant in order; only the last can be current.
    func arrivals(at clock: Instant) -> [Found] {
        let now = min(clock, settlesAt)
        var all: [Found] = []
        var start = Start()
        while let (found, next) = arrival(from: start, at: now) {
            all.append(found)
            guard let next else { break }
            start = next
        }
        return all
    }

    private func arrival(from start: Start, at now: Instant) -> (Found, Start?)? {
        var run: [Int] = []
        var outside = start.outside
        var outsideOfRun: Int?
        for index in start.index..<max(start.index, fixes.count) where isUsable(index) {
            guard metres[index] <= radius else {
                outside = index
                if metres[index] > radius + max(radius / 10, 10) { run = [] }
                continue
            }
            if run.isEmpty { outsideOfRun = outside }
            run.append(index)
            guard let provisional = provisional(run, at: now) else { continue }
            let found = Found(
                provisional: provisional,
                credited: credited(first: run[0], outside: outsideOfRun)
            )
            return decide(found, from: index + 1, at: now)
        }
        return nil
    }

    private func provisional(_ run: [Int], at now: Instant) -> Instant? {
        guard let last = run.last else { return nil }
        let time = fixes[last].time
        let span = (time - fixes[run[0]].time).seconds + 0.5
        let strong = run.filter(isStrong).count
        let speeds = run.suffix(3).map(speed).sorted()
        if run.count >= 2, span >= 5, strong >= 1, speeds[speeds.count / 2] <= 2.5 { return time }
        if run.count >= 4, span >= max(15, 2 * radius / 7), strong >= 2 { return time }
        guard isStrong(last), speed(last) <= 8 else { return nil }
        let silent = time + .seconds(30)
        guard last + 1 < fixes.count else { return silent <= now ? silent : nil }
        return (fixes[last + 1].time - time).seconds >= 29.5 ? silent : nil
    }

    private func decide(_ found: Found, from first: Int, at now: Instant) -> (Found, Start?) {
        var found = found
        let clocks = [found.provisional + .seconds(210), found.provisional + .seconds(300)].map { min($0, settlesAt) }
        for index in first..<max(first, fixes.count) {
            let time = fixes[index].time
            if let decided = byClock(found, clocks, upTo: time - .milliseconds(1), next: index) { return decided }
            let isHeld = metres[lastUsable(upTo: index)] > radius
            if (time - found.provisional).milliseconds > 120_000, !isHeld {
                found.confirmed = time
                return (found, nil)
            }
            let before = (first..<index).last(where: isUsable)
            if isUsable(index), isClearlyOutside(index), let before, isClearlyOutside(before) {
                (found.retracted, found.cause) = (time, .passed)
                return (found, Start(index: index + 1, outside: index))
            }
        }
        return byClock(found, clocks, upTo: now, next: fixes.count) ?? (found, nil)
    }

    /// The decision of the clock at one of its instants, if that is not after `limit`.
    private func byClock(
        _ found: Found,
        _ clocks: [Instant],
        upTo limit: Instant,
        next: Int
    ) -> (Found, Start?)? {
        var found = found
        let last = lastUsable(upTo: next - 1)
        let isHeld = metres[last] > radius
        guard let due = isHeld ? clocks.last : clocks.first, due <= limit else { return nil }
        guard isHeld, metres[last] - min(errors[last], 100) > radius else {
            found.confirmed = due
            return (found, nil)
        }
        (found.retracted, found.cause) = (due, .held)
        return (found, Start(index: next, outside: last))
    }

    private func credited(first: Int, outside: Int?) -> Instant {
        let inside = fixes[first].time
        guard let outside, (inside - fixes[outside].time).milliseconds <= 30_500 else { return max(inside, opensAt) }
        let way = metres[outside] - metres[first]
        let share = (metres[outside] - radius) / way
        return max(fixes[outside].time + .seconds((inside - fixes[outside].time).seconds * share), opensAt)
    }

    private func lastUsable(upTo index: Int) -> Int { (0...index).last(where: isUsable) ?? 0 }
    private func isUsable(_ index: Int) -> Bool { errors[index] <= max(radius, 70) }
    private func isStrong(_ index: Int) -> Bool { isUsable(index) && metres[index] + errors[index] / 2 <= radius }

    private func isClearlyOutside(_ index: Int) -> Bool {
        metres[index] - min(errors[index], 100) > radius + max(radius / 10, 20)
    }

    private func speed(_ index: Int) -> Double {
        if let reported = fixes[index].speedMps, reported > 0 { return reported }
        guard index > 0 else { return 0 }
        let way = fixes[index].coordinate.distanceMetres(to: fixes[index - 1].coordinate)
        let seconds = (fixes[index].time - fixes[index - 1].time).seconds
        if seconds == 0 { return way == 0 ? 0 : .infinity }
        return way / seconds
    }
}
