import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

/// Two phones in one pocket share a rank, and strangers do not; see `docs/arrival.md`.
@Suite(.timeLimit(.minutes(5))) struct PairSimulationTests {
    private static let mixed = [MeasuredPhone(.iPhone), MeasuredPhone(.android)]

    private static let sameBody = [
        PairRun.Kind(name: "on foot, 1.4 m/s", phones: mixed, surroundings: .foot, pace: .walking, seed: 41),
        PairRun.Kind(
            name: "on foot, two Androids",
            phones: [MeasuredPhone(.android), MeasuredPhone(.android)],
            surroundings: .foot,
            pace: .walking,
            seed: 42
        ),
        PairRun.Kind(
            name: "on foot, 1.05 m/s, two iPhones",
            phones: [MeasuredPhone(.iPhone), MeasuredPhone(.iPhone)],
            surroundings: .foot,
            pace: .strolling,
            seed: 43
        ),
        PairRun.Kind(
            name: "on foot, R 100 m",
            phones: mixed,
            surroundings: .foot,
            pace: .walking,
            radiusMetres: 100,
            seed: 44
        ),
        PairRun.Kind(name: "on wheels", phones: mixed, surroundings: .wheels, pace: .cycling, seed: 45),
    ]

    private static let strangers = [
        PairRun.Kind(
            name: "on foot, 20 s apart",
            phones: mixed,
            surroundings: .foot,
            pace: .walking,
            laterSeconds: 20,
            seed: 46
        ),
        PairRun.Kind(
            name: "on wheels, 20 s apart",
            phones: mixed,
            surroundings: .wheels,
            pace: .cycling,
            laterSeconds: 20,
            seed: 47
        ),
    ]

    /// The share of the runs in which both arrive, and of these the shares that tie by the times alone, and in all.
    private struct Figures: Sendable {
        let kind: PairRun.Kind
        let arrived: Double
        let byTime: Double
        let inAll: Double

        init(_ kind: PairRun.Kind) {
            self.kind = kind
            let runs = (0..<PairRun.count).map { PairRun(kind, $0) }.filter { $0.creditedAt != nil }
            let count = Double(max(1, runs.count))
            arrived = Double(runs.count) / Double(PairRun.count)
            byTime = Double(runs.count(where: \.isTiedByTime)) / count
            inAll = Double(runs.count(where: \.isTied)) / count
            print("two phones, \(kind.name): \(arrived) arrive, \(byTime) within 5 s, \(inAll) share a rank")
        }
    }

    /// Measured once; every test of the suite awaits it.
    private static let measured = Task {
        await withTaskGroup { group in
            for kind in sameBody + strangers { group.addTask { Figures(kind) } }
            var measured: [Figures] = []
            for await figures in group { measured.append(figures) }
            return measured.sorted { $0.kind.seed < $1.kind.seed }
        }
    }

    @Test func `two phones on one body share a rank`() async {
        for figures in await Self.measured.value where figures.kind.laterSeconds == nil {
            #expect(figures.arrived >= 0.98, "\(figures.kind.name)")
            #expect(figures.inAll >= 0.99, "\(figures.kind.name)")
        }
    }

    @Test func `strangers on another way seldom share a rank`() async {
        for figures in await Self.measured.value where figures.kind.laterSeconds != nil {
            #expect(figures.arrived >= 0.98, "\(figures.kind.name)")
            #expect(figures.inAll <= 0.05, "\(figures.kind.name)")
        }
    }

    @Test(.enabled(if: RepositoryFolder.root != nil, "the repository's folder is not where the sources are"))
    func `the document shows how often two phones share a rank`() async throws {
        let rows = await Self.measured.value.map { figures in
            (
                name: (figures.kind.laterSeconds == nil ? "one body, " : "strangers, ") + figures.kind.name,
                isOneBody: figures.kind.laterSeconds == nil,
                byTime: figures.byTime,
                inAll: figures.inAll
            )
        }
        try ArrivalTable.check(ArrivalTable.text(pairs: rows), .pairs)
    }
}
