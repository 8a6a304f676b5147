import Foundation
import UnixSignals

/// Handles SIGTERM and SIGINT beyond the first, which requests a clean stop.
enum Interruption {
    /// The signals that ask the process to end.
    static let signals: [UnixSignal] = [.sigterm, .sigint]

    /// Runs `body` and cancels it at the first signal. Throws the errors of `body`; a ``MeetupError`` if a signal
    /// arrived first.
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
            // The work ends before the process does, so that no temporary files remain.
            while await group.nextResult() != nil {}
            throw MeetupError(description: "interrupted before the result")
        }
    }

    /// Ends the process with 1 at the second signal, or if the clean stop takes longer than `deadline`; returns if
    /// cancelled.
    static func exit(atSecondOf caught: UnixSignalsSequence, orAfter deadline: Duration) async {
        await withDiscardingTaskGroup { group in
            var count = 0
            for await _ in caught {
                count += 1
                guard count == 1 else { leave("stopped at once, at the second signal") }
                group.addTask {
                    do {
                        try await Task.sleep(for: deadline, clock: .continuous)
                        leave("stopped at once: the clean stop took too long")
                    } catch {
                        // The clean stop ended in time.
                    }
                }
            }
            group.cancelAll()
        }
    }

    private static func leave(_ why: String) -> Never {
        StandardError.write("promised: \(why)")
        _exit(1)
    }
}
