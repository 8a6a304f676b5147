import PromisedProtocol

/// Events as lines for people who read a log of them.
enum WatchLines {
    /// The lines of an event that the board has taken; none for what does not concern the watcher.
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
        default:
            return milestone(what, on: board).map { [$0] } ?? []
        }
    }

    private static func milestone(_ what: WireEvent.OneOf_What, on board: WatchBoard) -> String? {
        switch what {
        case .joined(let event): "\(event.user.nickname.printable) accepted"
        case .declined(let event): "\(event.user.nickname.printable) declined"
        case .left(let event): "\(event.user.nickname.printable) left"
        case .removed(let event): "\(event.user.nickname.printable) was removed"
        case .handedOver(let event): "\(board.name(of: event.ownerID)) is the owner now"
        case .invited(let event): "\(event.user.nickname.printable) was invited"
        case .edited: "the promise was changed"
        case .cancelled(let event): "cancelled\(event.reason.isEmpty ? "" : ": \(event.reason.printable)")"
        case .trackingStarted: "the window opened"
        case .meetingTime: "it is the meeting time"
        case .late(let event): "late: \(event.userIds.map { board.name(of: $0) }.joined(separator: ", "))"
        case .trackingEnded: "the window closed"
        case .resultFinal: "the result is final"
        case .excused(let event): "\(event.row.user.nickname.printable) is excused"
        case .viewLinkCreated(let event): "a view link was made, good until \(MomentText.time(event.expiresAt))"
        case .viewLinkRevoked: "the view link was revoked"
        case .viewersChanged(let event): "\(event.count) watching by the view link"
        case .linkSharingChanged(let event):
            "\(board.name(of: event.userID)) is \(event.on ? "shown to" : "hidden from") people with the view link"
        default: nil
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
