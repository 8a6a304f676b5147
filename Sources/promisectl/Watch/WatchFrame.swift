import PromisedCommandLine
import PromisedProtocol

/// Renders a board as lines for people.
enum WatchFrame {
    /// A headline, then the distance, ETA, freshness and rank of all participants.
    static func lines(of board: WatchBoard, _ style: Style) -> [String] {
        let columns: [Table.Column] = [
            .number("RANK"), "WHO", .number("DISTANCE"), "EXPECTED", "FRESHNESS", "ARRIVED", "STATUS",
        ]
        let table = Table(columns, of: board.rows) { cells(of: $0) }
        return [headline(of: board, style), ""] + table.lines(style)
    }

    private static func headline(of board: WatchBoard, _ style: Style) -> String {
        let promise = board.promise
        let title = style.paint(promise.title.printable, .heading)
        let status = style.paint(promise.status.word, promise.status.tone)
        let place = "\(promise.place.name.printable), \(MomentText.full(promise.meetsAt))"
        let heard = board.heardAt.map { ", now \(MomentText.time($0))" } ?? ""
        return "\(title)  \(status)  \(place)\(heard)"
    }

    private static func cells(of participant: WireParticipant) -> [Table.Cell] {
        let arrival = participant.arrival
        let distance =
            participant.hasPosition
            ? MeasureText.distance(metres: participant.position.distanceMetres) : ""
        return [
            participant.hasArrival ? "\(arrival.rank)" : "", "\(participant.user.nickname)", "\(distance)",
            expected(participant), freshness(participant), arrived(participant),
            Table.Cell([participant.emoji, participant.statusText].filter { !$0.isEmpty }.joined(separator: " ")),
        ]
    }

    private static func expected(_ participant: WireParticipant) -> Table.Cell {
        let eta = participant.eta
        guard participant.hasEta, !participant.hasArrival, eta.hasMedianAt else { return "" }
        let time = MomentText.time(eta.medianAt)
        return switch eta.state {
        case .late: Table.Cell("\(time) late", .bad)
        case .atRisk: Table.Cell("\(time) at risk", .warning)
        case .onTime, .approaching: Table.Cell(time, .good)
        case .arrived, .unknown, .unspecified, .UNRECOGNIZED: Table.Cell(time)
        }
    }

    private static func freshness(_ participant: WireParticipant) -> Table.Cell {
        let presence = participant.presence
        let words = [presence.freshness.word, presence.cause.word].filter { !$0.isEmpty }
        return Table.Cell(words.joined(separator: ", "), presence.freshness.tone)
    }

    private static func arrived(_ participant: WireParticipant) -> Table.Cell {
        guard participant.hasArrival else { return "" }
        let arrival = participant.arrival
        let mark = arrival.stage == .provisional ? " (provisional)" : ""
        let offset = MomentText.offset(seconds: Int(arrival.secondsFromMeeting))
        return Table.Cell("\(MomentText.time(arrival.creditedAt)) \(offset)\(mark)", arrival.outcome.tone)
    }
}
