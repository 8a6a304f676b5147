import Foundation
import Logging
import PromisedClient

/// Makes the connections of a run, in this process or several.
protocol LoadWorkers: Sendable {
    /// Connects all seats, measures, waits for open deliveries, and disconnects.
    ///
    /// - Parameter begin: called when all seats are subscribed; returns the measured time, in the future.
    /// - Throws: ``LoadFailure`` if not all seats get subscribed, and errors of `begin`.
    func run(_ begin: @Sendable () async throws -> Range<LoadTime>) async throws -> LoadTally
}

/// The work of one process of a run.
struct WorkOrder: Hashable, Sendable, Codable {
    var plan: LoadPlan
    var server: String
    /// The token file; nil for a relay.
    var tokensFile: String?
    /// The number of connections of all processes.
    var connections: Int
    /// The number of members per group of a relay.
    var members: Int
    /// A PEM file of trusted authorities; nil for the system's.
    var authority: String?
    /// The index of this process, from 0, and the number of processes.
    var part = 0
    var parts = 1

    func seats() throws -> SeatPlan {
        let all =
            if let tokensFile {
                try SeatPlan(tokensFile: tokensFile, connections: connections)
            } else {
                SeatPlan.relay(connections: connections, members: members)
            }
        return parts == 1 ? all : all.part(part, of: parts)
    }
}

/// Makes the connections in this process.
struct LocalWorkers: LoadWorkers {
    /// How long to wait for open deliveries after the measurement, and again for the last reports of arriving phones.
    private static let drain = Duration.seconds(5)
    /// The interval of checking completion and reporting progress.
    private static let glance = Duration.milliseconds(20)
    private static let tellEvery = Duration.seconds(5)

    private let swarm: Swarm
    private let share: Double
    private let count: Int
    private let period: Duration

    /// Throws if the token file can't be read or the URL is invalid.
    init(_ order: WorkOrder, log: Logger) throws {
        guard let address = ServerAddress(order.server) else {
            throw LoadFailure("\(order.server) is not the URL of a server")
        }
        let seats = try order.seats()
        count = seats.count
        period = order.plan.period
        share = Double(count) / Double(max(1, order.connections))
        let state = SwarmState(plan: order.plan, seats: seats, at: .now)
        swarm = Swarm(state, address: address, authority: order.authority, log: log)
    }

    func run(_ begin: @Sendable () async throws -> Range<LoadTime>) async throws -> LoadTally {
        let outcome = await withTaskGroup(of: Void.self) { group in
            group.addTask { [swarm] in await swarm.run() }
            defer { group.cancelAll() }
            return await work(begin)
        }
        await swarm.end()
        return try outcome.get()
    }

    // MARK: - Internals

    private func work(_ begin: @Sendable () async throws -> Range<LoadTime>) async -> Result<LoadTally, any Error> {
        do {
            try await connect()
            return .success(try await measure(try await begin()))
        } catch {
            return .failure(error)
        }
    }

    private func connect() async throws {
        let patience = Duration.seconds(30) + .milliseconds(count * 5)
        let deadline = LoadTime.now + patience
        while !swarm.with(\.isComplete) {
            guard LoadTime.now < deadline, !swarm.with(\.isHopeless) else { throw failure() }
            try await Task.sleep(for: Self.glance)
        }
    }

    private func measure(_ range: Range<LoadTime>) async throws -> LoadTally {
        swarm.with { $0.measure(range, share: share) }
        while LoadTime.now < range.upperBound {
            try await Task.sleep(for: min(Self.tellEvery, max(.milliseconds(1), range.upperBound - .now)))
            tell(since: range.lowerBound)
        }
        swarm.with { $0.stopReporting() }
        try await wait(for: Self.drain) { $0.ledger.open > 0 || !$0.isSettled }
        swarm.with { $0.ledger.close() }
        try await wait(for: period + Self.drain) { $0.isAwaitingArrivals || !$0.isSettled }
        return swarm.with { $0.end() }
    }

    /// Waits while deliveries are open, for at most `span`.
    private func wait(for span: Duration, while isWanted: @Sendable (borrowing SwarmState) -> Bool) async throws {
        let deadline = LoadTime.now + span
        while LoadTime.now < deadline, swarm.with({ isWanted($0) }) { try await Task.sleep(for: Self.glance) }
    }

    private func failure() -> LoadFailure {
        let (live, errors) = swarm.with { ($0.liveOnce, $0.tally.errors) }
        let words = errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return LoadFailure(
            "only \(live) of \(count) connections are subscribed (\(words.isEmpty ? "no error" : words))"
        )
    }

    private func tell(since start: LoadTime) {
        let seconds = (LoadTime.now - start).inSeconds
        guard seconds > 0 else { return }
        let (counts, tally) = swarm.with { ($0.ledger.counts, $0.tally) }
        let p99 = tally.deliveryLatency.summary.map { " p99 \(NumberText.rounded($0.p99)) ms" } ?? ""
        let errors = tally.errors.values.reduce(0, +) + tally.violations.values.reduce(0, +)
        StatusOutput.tell("\(Int(seconds)) s: \(counts.delivered) of \(counts.due) delivered\(p99), \(errors) errors")
    }
}

/// The program's status messages, on standard error.
enum StatusOutput {
    static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
