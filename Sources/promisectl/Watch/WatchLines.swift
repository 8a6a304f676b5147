import PromisedCommandLine
import PromisedProtocol

/// Renders events as log lines for people.
enum WatchLines {
    /// The lines of an event that the board has applied; none if it is irrelevant for the operator.
    static func lines(of event: WireEvent, on board: WatchBoard) -> [String] {
        let time = MomentText.time(event.at)
        return sentences(of: event, on: board).map { "\(time) \($0)" }
    }

    private static func sentences(of event: WireEvent, on board: WatchBoard) -> [String] {
        guard let what = event.what else { return [] }
        switch what {
        case .positions(let event): return event.positions.map { position($0, on: board) }
        case .presence(let event): return event.presences.map { presence($0, on: board) }
        case .eta(let event):
            guard event.eta.hasMedianAt else { return [] }
            return ["\(board.name(of: event.userID)) is expected at \(MomentText.time(event.eta.medianAt))"]
        case .sharingChanged(let event):
            return ["\(board.name(of: event.userID)) \(event.on ? "shares" : "hides") their position"]
        case .statusChanged(let event):
            return ["\(board.name(of: event.userID)): \(event.emoji.printable) \(event.text.printable)"]
        case .nudged(let event): return ["\(board.name(of: event.from)) nudges \(board.name(of: event.userID))"]
        case .arrived(let event): return [arrival(event.arrival, "arrived", on: board)]
        case .arrivalConfirmed(let event): return [arrival(event.arrival, "is confirmed", on: board)]
        case .arrivalRetracted(let event):
            return ["\(board.name(of: event.userID)) did not arrive: \(event.reason.printable)"]
        case .rankingRevised(let event): return event.arrivals.map { arrival($0, "is revised", on: board) }
        case .viewersChanged(let event): return ["\(event.count) watching through the view link"]
        case .linkSharingChanged(let event):
            let seen = event.on ? "shown to" : "hidden from"
            return ["\(board.name(of: event.userID)) is \(seen) people with the view link"]
        default:
            let sentence = EventSentence(name: board.name(of:), time: MomentText.time)
            return sentence.text(of: what).map { [$0] } ?? []
        }
    }

    private static func position(_ position: WirePosition, on board: WatchBoard) -> String {
        let distance = MeasureText.distance(metres: position.distanceMetres)
        let expected =
            position.hasEta && position.eta.hasMedianAt
            ? ", expected at \(MomentText.time(position.eta.medianAt))" : ""
        return "\(board.name(of: position.userID)) is \(distance) away\(expected)"
    }

    private static func presence(_ presence: WirePresence, on board: WatchBoard) -> String {
        let words = [presence.freshness.word, presence.cause.word].filter { !$0.isEmpty }
        return "\(board.name(of: presence.userID)) is \(words.joined(separator: ", "))"
    }

    private static func arrival(_ arrival: WireArrival, _ verb: String, on board: WatchBoard) -> String {
        let time = MomentText.time(arrival.creditedAt)
        let offset = MomentText.offset(seconds: Int(arrival.secondsFromMeeting))
        return
            "\(board.name(of: arrival.userID)) \(verb): rank \(arrival.rank), \(time) (\(offset)), \(arrival.outcome.word)"
    }
}
