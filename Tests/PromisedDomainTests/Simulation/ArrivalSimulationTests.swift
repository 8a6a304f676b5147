import Foundation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The arrival rule in seeded runs of participants who arrive, pass or stay away; see `docs/arrival.md`.
@Suite(.timeLimit(.minutes(5)))
struct ArrivalSimulationTests {
    /// Measured once; every test of the suite awaits it.
    private static let stayingAway = Task { await ArrivalFigures.measure(ArrivalScenario.stayingAway) }
    private static let coming = Task { await ArrivalFigures.measure(ArrivalScenario.coming) }
    private static let stayingAwayMeasured = Task { await ArrivalFigures.measure(ArrivalScenario.stayingAwayMeasured) }
    private static let comingMeasured = Task { await ArrivalFigures.measure(ArrivalScenario.comingMeasured) }

    @Test(.proves("6.16")) func `participants who stay away or pass by have not arrived in the end`() async {
        for figures in await Self.stayingAway.value + Self.stayingAwayMeasured.value {
            let scenario = figures.scenario
            print("\(scenario.testDescription): robust \(figures.robust.standing) of \(ArrivalFigures.runCount)")
            guard case .staysAway(let standing?) = scenario.demand else { continue }
            #expect(figures.robust.standingShare <= standing, "\(scenario.testDescription)")
        }
    }

    @Test(.proves("6.16")) func `detects a participant who walks in soon and credits the right second`() async throws {
        for figures in await Self.coming.value + Self.comingMeasured.value {
            let scenario = figures.scenario
            let robust = figures.robust
            let delay = try #require(robust.delays.quantile(0.5))
            let error = try #require(robust.errors.quantile(0.5))
            print(
                "\(scenario.testDescription): robust \(robust.standing) of \(ArrivalFigures.runCount),",
                "delay \(delay) s, error \(error) s"
            )
            guard case .comes(let missed, let longestDelay, let largestError) = scenario.demand else { continue }
            if let missed { #expect(1 - robust.standingShare <= missed, "\(scenario.testDescription)") }
            if let longestDelay { #expect(delay <= longestDelay, "\(scenario.testDescription)") }
            if let largestError { #expect(error <= largestError, "\(scenario.testDescription)") }
        }
    }

    @Test func `the simple rules fail in scenarios that the robust one passes`() async throws {
        let away = await Self.stayingAway.value
        let drive = try #require(away.first)
        #expect(drive.firstFix.standingShare > 0.9)
        #expect(drive.withinError.standingShare > 0.9)
        let light = away[1]
        #expect(light.robust.announcedShare > 0.9, "a red light is announced first and retracted later")
        let cellTower = away[3]
        #expect(cellTower.withinError.standingShare > 0.9)
    }

    @Test(.enabled(if: RepositoryFolder.root != nil, "the repository's folder is not where the sources are"))
    func `the document shows the measured figures`() async throws {
        let figures = ArrivalTable.text(stayingAway: await Self.stayingAway.value, coming: await Self.coming.value)
        let measured = ArrivalTable.text(
            stayingAway: await Self.stayingAwayMeasured.value,
            coming: await Self.comingMeasured.value
        )
        try ArrivalTable.check(figures, .figures)
        try ArrivalTable.check(measured, .measured)
    }

    @Test func `equal seeds give equal runs, different seeds different ones`() {
        let scenario = ArrivalScenario.coming[0]
        #expect(scenario.run(7) == scenario.run(7))
        #expect(scenario.run(7) != scenario.run(8))
    }

    @Test func `tables with slightly different numbers agree`() {
        let table = "| café | ≤ 1 % | 0.2 % | −6.1 s |"
        #expect(ArrivalTable.agree(table, "| café | ≤ 1 % | 0.4 % | −6.3 s |", tolerance: 0.5))
        #expect(!ArrivalTable.agree(table, "| café | ≤ 1 % | 0.8 % | −6.1 s |", tolerance: 0.5))
        #expect(!ArrivalTable.agree(table, "| café | ≤ 2 % | 0.2 % | −6.1 s |", tolerance: 0.5))
        #expect(!ArrivalTable.agree(table, "| pub | ≤ 1 % | 0.2 % | −6.1 s |", tolerance: 0.5))
        #expect(!ArrivalTable.agree(table, table + " 1 s |", tolerance: 0.5))
    }
}
