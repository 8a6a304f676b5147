import Foundation
import UnixSignals

/// What SIGTERM and SIGINT do beyond the first, which asks for a clean stop.
enum Interruption {
    /// The signals that ask the process to end.
    static let signals: [UnixSignal] = [.sigterm, .sigint]

    /// Runs `body` and cancels it at the first signal.
    ///
    /// - Throws: what `body` throws; a ``MeetupError`` when a signal came first.
    static func cancelling<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
    {
        let caught = await UnixSignalsSequence(trapping: signals)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in caught { return nil }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // What was under way ends before the process does, so that nothing temporary is left behind.
            while await group.nextResult() != nil {}
            throw MeetupError(description: "interrupted before the result")
        }
    }

    /// Ends the process with 1 at the second signal, whatever the clean stop is waiting for; returns when cancelled.
    static func exitAtSecond(of caught: UnixSignalsSequence) async {
        var count = 0
        for await _ in caught {
            count += 1
            guard count > 1 else { continue }
            StandardError.write("promised: stopped at once")
            _exit(1)
        }
    }
}
