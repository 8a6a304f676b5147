import PromisedDomain

/// The results of the deciders for all runs of one scenario.
struct ArrivalFigures: Sendable {
    /// How many runs are drawn of each scenario.
    static let runCount = 600

    /// The results of one decider.
    struct Tally: Sendable {
        /// Runs with an arrival at the end.
        var standing = 0
        /// Runs in which one was announced at any time.
        var announced = 0
        /// Seconds from the true crossing to the announcement, sorted; one for each run in which both exist.
        var delays: [Double] = []
        /// The absolute seconds between the true crossing and the credited time, sorted.
        var errors: [Double] = []

        /// Share of the runs with an arrival at the end, 0…1.
        var standingShare: Double { Double(standing) / Double(ArrivalFigures.runCount) }
        /// Share of the runs in which one was announced, 0…1.
        var announcedShare: Double { Double(announced) / Double(ArrivalFigures.runCount) }
    }

    let scenario: ArrivalScenario
    /// The rule of the product.
    let robust: Tally
    /// The first fix inside.
    let firstFix: Tally
    /// The first fix inside by its error.
    let withinError: Tally

    /// Draws the runs of `scenario` and decides on them.
    init(of scenario: ArrivalScenario) {
        self.scenario = scenario
        let runs = (0..<ArrivalFigures.runCount).map(scenario.run)
        func tally(_ decider: ArrivalDecider) -> Tally {
            Tally(decider, runs: runs, radiusMetres: scenario.radiusMetres)
        }
        robust = tally(.robust)
        firstFix = tally(.firstFix)
        withinError = tally(.withinError)
    }

    /// The figures of all `scenarios`, in their order, measured side by side.
    static func measure(_ scenarios: [ArrivalScenario]) async -> [ArrivalFigures] {
        await withTaskGroup { group in
            for (index, scenario) in scenarios.enumerated() {
                group.addTask { (index, ArrivalFigures(of: scenario)) }
            }
            var measured: [(index: Int, figures: ArrivalFigures)] = []
            for await figures in group { measured.append(figures) }
            return measured.sorted { $0.index < $1.index }.map(\.figures)
        }
    }
}

extension ArrivalFigures.Tally {
    init(_ decider: ArrivalDecider, runs: [ArrivalRun], radiusMetres: Double) {
        for run in runs {
            let verdict = decider.verdict(on: run, radiusMetres: radiusMetres)
            if verdict.wasAnnounced { announced += 1 }
            guard let creditedAt = verdict.creditedAt, let announcedAt = verdict.announcedAt else { continue }
            standing += 1
            guard let crossing = run.crossing else { continue }
            delays.append((announcedAt - crossing).seconds)
            errors.append(abs((creditedAt - crossing).seconds))
        }
        delays.sort()
        errors.sort()
    }
}

extension [Double] {
    /// The quantile `share`, 0 ..< 1, of sorted numbers; nil if empty. For an even count the median is the upper one.
    func quantile(_ share: Double) -> Double? { isEmpty ? nil : self[Int(Double(count) * share)] }
}
