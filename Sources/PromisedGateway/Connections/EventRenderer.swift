internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire
internal import SwiftProtobuf

/// Renders everything that clients receive without a request.
struct EventRenderer: Sendable {
    let cards: UserCardCache
    let clock: any WallClock

    /// The frame of a session's announcement.
    func frame(of announcement: Announcement, of promiseID: PromiseID) -> OutgoingFrame {
        switch announcement {
        case .event(let numbered, let view):
            return .message(WireServerFrame(event: WireEvent(numbered, in: view, card: cards.card)))
        case .positions(let positions, let nextReport):
            return .positions(
                PositionsFrame(positions: positions, of: promiseID, nextReport: nextReport, at: clock.now)
            )
        case .passing(let passing):
            return .message(WireServerFrame(event: WireEvent(passing: passing, of: promiseID, at: clock.now)))
        case .linkView(let link):
            var changed = WireEvent.LinkViewChanged()
            changed.view = WireLinkView(link.view, endsAt: link.endsAt, at: clock.now, card: cards.card)
            let event = WireEvent(.linkViewChanged(changed), of: promiseID, at: clock.now)
            return .message(WireServerFrame(event: event))
        case .linkEnded(let end): return .message(frame(ofEnd: end.rawValue))
        }
    }

    /// The frame of an item outside the events of a promise.
    func frame(of item: NewsItem) -> WireServerFrame {
        if case .weatherChanged(let outlook, let promiseID) = item {
            return WireServerFrame(event: WireEvent(.weatherChanged(outlook), of: promiseID, at: clock.now))
        }
        return WireServerFrame(event: WireEvent(personal: content(of: item), at: clock.now))
    }

    /// The last frame before a connection is closed, with the reason.
    func frame(ofEnd reason: String) -> WireServerFrame {
        WireServerFrame(event: WireEvent(personal: .sessionRevoked(.with { $0.reason = reason }), at: clock.now))
    }

    private func content(of item: NewsItem) -> WireEvent.OneOf_What {
        switch item {
        case .friendRequested(let card): .friendRequested(.with { $0.user = WireUserCard(card) })
        case .friendAdded(let card): .friendAdded(.with { $0.user = WireUserCard(card) })
        case .friendRemoved(let friend): .friendRemoved(.with { $0.userID = friend.wireText })
        case .notification(let notification, let names, let card):
            .notification(notification, names: names, card: card)
        case .statisticsChanged(let statistics):
            .statisticsChanged(.with { $0.statistics = WireStatistics(statistics) })
        case .outlookReady(let outlook, .promise(let id)): .outlookReady(outlook, of: id)
        case .outlookReady(let outlook, .place(let id)): .outlookReady(outlook, of: id)
        case .weatherChanged(let outlook, _): .weatherChanged(outlook)
        case .visitMade(let visit):
            .visitMade(.with { $0.visit = WireVisit(visit, isOwn: true, files: [:], card: cards.card) })
        case .courseShared(let course): .courseShared(.with { $0.course = WireCourse(course) })
        case .recordingInterrupted(let recording):
            .recordingInterrupted(.with { $0.recording = WireRecording(recording) })
        case .exportReady(let file): .exportReady(.with { $0.file = WireStoredFile(file) })
        }
    }
}
