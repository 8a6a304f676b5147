import PromisedCommandLine
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol

/// Formats the events of a promise as lines for people.
struct EventText: Sendable {
    /// Nicknames by user id.
    var names: [String: String]

    /// A line for an event; nil for positions and other events that would flood the screen.
    func line(_ event: WireEvent) -> String? {
        guard let text = text(event) else { return nil }
        return "\(ClockText.time(event.at))  \(text)"
    }

    private func text(_ event: WireEvent) -> String? {
        switch event.what {
        case .arrived(let arrived): "\(name(arrived.arrival.userID)) arrived \(detail(arrived.arrival))"
        case .arrivalConfirmed(let confirmed):
            "\(name(confirmed.arrival.userID)) confirmed \(detail(confirmed.arrival))"
        case .arrivalRetracted(let retracted):
            "\(name(retracted.userID)) did not arrive after all (\(retracted.reason))"
        case .rankingRevised(let revised):
            "ranking revised (\(revised.cause)): "
                + revised.arrivals.map { "\($0.rank). \(name($0.userID))" }.joined(separator: ", ")
        default: EventSentence(name: name, time: ClockText.time).text(of: event.what)
        }
    }

    private func name(_ userID: String) -> String { names[userID] ?? "somebody" }

    private func detail(_ arrival: WireArrival) -> String {
        let offset = ClockText.offset(seconds: Int(arrival.secondsFromMeeting))
        return "at \(ClockText.time(arrival.creditedAt)) (\(offset), rank \(arrival.rank))"
    }
}

/// Instants and spans as text for a terminal.
enum ClockText {
    /// The time of day in UTC: `13:40:15`.
    static func time(_ instant: Instant) -> String {
        let day: Int64 = 86_400_000
        let inDay = ((instant.milliseconds % day) + day) % day / 1_000
        return [inDay / 3_600, inDay / 60 % 60, inDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// The time of day of a timestamp.
    static func time(_ timestamp: WireTimestamp) -> String {
        time(Instant(milliseconds: timestamp.clampedMilliseconds))
    }

    /// The offset in minutes and seconds: `-3:05`, `+0:12`.
    static func offset(seconds: Int) -> String {
        let length = abs(seconds)
        let rest = length % 60
        return "\(seconds < 0 ? "-" : "+")\(length / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// The output of a meetup: standard output, or standard error if that is reserved for the result.
final class Screen: Sendable {
    private let isQuiet: Bool
    private let names = Guarded<[String: String]>([:])

    /// - Parameter isQuiet: `true` if standard output is reserved for the result.
    init(isQuiet: Bool = false) { self.isQuiet = isQuiet }

    func say(_ line: String) {
        if isQuiet { StandardError.write(line) } else { StandardOutput.write(line) }
    }

    func name(_ userID: String, _ nickname: String) {
        names.withLock { $0[userID] = nickname }
    }

    /// Writes an event, unless it would flood the screen.
    func show(_ event: WireEvent) {
        if let line = EventText(names: names.withLock { $0 }).line(event) { say(line) }
    }
}
