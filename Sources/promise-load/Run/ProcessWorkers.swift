import Foundation
import Logging

/// Makes the connections in several processes, because the number of open files per process is limited.
///
/// A child reads its ``WorkOrder`` as a line of JSON, writes `ready` once it is connected, reads the measured time as
/// another line, and ends with its ``LoadTally`` as one.
struct ProcessWorkers: LoadWorkers {
    private let children: [ChildProcess]

    /// Workers for `parts` processes, each this executable with `--worker`.
    init(_ order: WorkOrder, parts: Int, executable: String) throws {
        children = try (0..<parts).map { part in
            var order = order
            (order.part, order.parts) = (part, parts)
            let child = try ChildProcess(executable, ["--worker"])
            try child.say(JSONEncoder().encode(order))
            return child
        }
    }

    func run(_ begin: @Sendable () async throws -> Range<LoadTime>) async throws -> LoadTally {
        let outcome: Result<LoadTally, any Error>
        do {
            outcome = .success(try await work(begin))
        } catch {
            outcome = .failure(error)
        }
        for child in children { _ = await child.stop() }
        return try outcome.get()
    }

    // MARK: - Internals

    private static let gone = LoadFailure("a worker process ended without a result; see its output above")

    private func work(_ begin: @Sendable () async throws -> Range<LoadTime>) async throws -> LoadTally {
        for child in children {
            guard await child.lines.first(where: { _ in true }) == "ready" else { throw Self.gone }
        }
        let range = try await begin()
        let line = try JSONEncoder().encode([range.lowerBound, range.upperBound])
        for child in children { try child.say(line) }
        var tally = LoadTally()
        for child in children {
            guard let line = await child.lines.first(where: { _ in true }) else { throw Self.gone }
            tally.merge(try JSONDecoder().decode(LoadTally.self, from: Data(line.utf8)))
        }
        return tally
    }
}

/// The other side of ``ProcessWorkers``: one of several processes, with its orders on standard input.
enum Worker {
    /// Works until the order is completed.
    static func run(log: Logger) async throws {
        let workers = try LocalWorkers(try next(WorkOrder.self), log: log)
        let tally = try await workers.run {
            say(Data("ready".utf8))
            let moments = try next([LoadTime].self)
            guard moments.count == 2, moments[0] < moments[1] else {
                throw LoadFailure("the orders name no time to measure")
            }
            return moments[0]..<moments[1]
        }
        say(try JSONEncoder().encode(tally))
    }

    private static func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let line = readLine() else { throw LoadFailure("the process that started this one has ended") }
        return try JSONDecoder().decode(Value.self, from: Data(line.utf8))
    }

    private static func say(_ line: Data) { FileHandle.standardOutput.write(line + Data("\n".utf8)) }
}
