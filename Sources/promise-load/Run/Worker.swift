import Foundation
import Logging

/// The other side of a ``ProcessCrew``: one process of several, told by standard input what to do.
enum Worker {
    /// Works until the order is carried out.
    static func run(log: Logger) async throws {
        let crew = try LocalCrew(try next(WorkOrder.self), log: log)
        let tally = try await crew.run {
            say(Data("ready".utf8))
            let moments = try next([LoadTime].self)
            guard moments.count == 2, moments[0] < moments[1] else {
                throw LoadFailure("no time to measure was named")
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
