import PromisedConcurrency
import PromisedProtocol

/// Where a meetup tells what happens: standard output, or standard error when that is kept for the result.
final class Screen: Sendable {
    private let isQuiet: Bool
    private let names = Guarded<[String: String]>([:])

    /// - Parameter isQuiet: whether standard output is kept for the result alone.
    init(isQuiet: Bool = false) {
        self.isQuiet = isQuiet
    }

    /// Writes a line.
    func say(_ line: String) {
        if isQuiet { StandardError.write(line) } else { StandardOutput.write(line) }
    }

    /// Learns what somebody is called.
    func name(_ userID: String, _ nickname: String) {
        names.withLock { $0[userID] = nickname }
    }

    /// Writes an event, unless it is one of those that would flood the screen.
    func show(_ event: WireEvent) {
        if let line = EventText(names: names.withLock { $0 }).line(event) { say(line) }
    }
}
