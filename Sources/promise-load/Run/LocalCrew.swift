import Logging
import PromisedClient

/// Makes the connections in this process.
final class LocalCrew: LoadCrew {
    /// How long what is under way may take when the measuring has ended.
    private static let drain = Duration.seconds(5)
    /// How often is looked whether something is done, and how often is told how far the run is.
    private static let glance = Duration.milliseconds(20)
    private static let tellEvery = Duration.seconds(5)

    private let swarm: Swarm
    private let order: WorkOrder
    private let share: Double
    private let count: Int
    private let life: Task<Void, Never>

    /// A crew that begins to connect at once.
    ///
    /// - Throws: when the token file can't be read or the URL is none.
    init(_ order: WorkOrder, log: Logger) throws {
        guard let address = ServerAddress(order.server) else { throw LoadFailure("\(order.server) is no URL") }
        let seats = try order.seats()
        count = seats.count
        share = Double(count) / Double(max(1, order.connections))
        let state = SwarmState(plan: order.plan, seats: seats, at: .now)
        let swarm = Swarm(state, address: address, authority: order.authority, log: log)
        self.order = order
        self.swarm = swarm
        // Ended by `measure`, or by the end of the process when connecting fails.
        life = Task { await swarm.run() }
    }

    func connect() async throws {
        let patience = Duration.seconds(30) + .milliseconds(count * 5)
        let deadline = LoadTime.now + patience
        while !swarm.with(\.isComplete) {
            guard LoadTime.now < deadline, !swarm.with(\.isHopeless) else { throw failure() }
            try await Task.sleep(for: Self.glance)
        }
    }

    func measure(_ range: Range<LoadTime>) async throws -> LoadTally {
        swarm.with { $0.measure(range, share: share) }
        while LoadTime.now < range.upperBound {
            try await Task.sleep(for: min(Self.tellEvery, max(.milliseconds(1), range.upperBound - .now)))
            tell(since: range.lowerBound)
        }
        swarm.with { $0.stopReporting() }
        let deadline = LoadTime.now + Self.drain
        while LoadTime.now < deadline, swarm.with({ $0.ledger.open > 0 || !$0.isSettled }) {
            try await Task.sleep(for: Self.glance)
        }
        let tally = swarm.with { $0.end() }
        life.cancel()
        await life.value
        await swarm.end()
        return tally
    }

    private func failure() -> LoadFailure {
        let (live, errors) = swarm.with { ($0.liveOnce, $0.tally.errors) }
        let words = errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return LoadFailure("only \(live) of \(count) came to be subscribed (\(words.isEmpty ? "no error" : words))")
    }

    private func tell(since start: LoadTime) {
        let seconds = (LoadTime.now - start).inSeconds
        guard seconds > 0 else { return }
        let (counts, latency, tally) = swarm.with { ($0.ledger.counts, $0.tally.deliveryLatency.summary, $0.tally) }
        let p99 = latency.map { " p99 \(NumberText.rounded($0.p99)) ms" } ?? ""
        let errors = tally.errors.values.reduce(0, +) + tally.violations.values.reduce(0, +)
        Progress.tell("\(Int(seconds)) s: \(counts.delivered) of \(counts.due) delivered\(p99), \(errors) errors")
    }
}
