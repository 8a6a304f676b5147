package import PromisedApplication
package import PromisedDomain
package import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Sends the announcements of sessions and the news of use cases to clients: rendered once, with shared bytes.
package final class Broadcaster: Announcer, ConnectionIndex, News {
    private let connections: Connections
    private let sender: Sender
    private let renderer: EventRenderer
    private let revocation: Revocation
    private let statistics: StatisticsNews
    private let notifications: NotificationQueue
    private let traffic: TrafficMeter
    private let metrics: DeliveryMetrics

    init(
        connections: Connections,
        sender: Sender,
        renderer: EventRenderer,
        revocation: Revocation,
        statistics: StatisticsNews,
        notifications: NotificationQueue,
        traffic: TrafficMeter,
        metrics: DeliveryMetrics
    ) {
        self.metrics = metrics
        self.statistics = statistics
        self.notifications = notifications
        self.traffic = traffic
        self.connections = connections
        self.sender = sender
        self.renderer = renderer
        self.revocation = revocation
    }

    // MARK: - Of sessions

    package func connections(of userID: UserID) -> [SubscriberID] { connections.connections(of: userID).map(\.id) }

    package func note(_ event: NumberedEvent, in view: SessionView) {
        statistics.note(event.event, in: view)
        notifications.note(event, in: view)
    }

    package func deliver(
        _ announcements: [Announcement],
        of promiseID: PromiseID,
        to subscribers: [SubscriberID]
    ) {
        guard !subscribers.isEmpty else { return }
        let frames = announcements.map { announcement in
            count(announcement, to: subscribers.count)
            let frame = renderer.frame(of: announcement, of: promiseID)
            return (frame: frame, delivery: Broadcaster.delivery(of: announcement, slot: promiseID.low))
        }
        sender.send(frames, to: subscribers)
        guard announcements.contains(where: \.endsConnections) else { return }
        let ended = connections.connections(subscribers.lazy.map(\.rawValue))
        for connection in ended { sender.close(connection, .sessionRevoked) }
    }

    private func count(_ announcement: Announcement, to recipients: Int) {
        switch announcement {
        case .event: metrics.event(to: recipients)
        case .positions(let positions, _):
            metrics.positions(positions.count, to: recipients)
            traffic.note(TrafficMeter.Counts(deliveries: positions.count * recipients))
        case .passing, .linkView, .linkEnded: metrics.passing(to: recipients)
        }
    }

    /// Newer positions replace queued ones of the same participants. A mask has 64 bits, one per participant; a promise
    /// with more participants over time sends the others as events, which only a slow reader notices.
    private static func delivery(of announcement: Announcement, slot: UInt64) -> FrameDelivery {
        guard case .positions(let positions, _) = announcement else { return .event }
        var lanes: UInt64 = 0
        for position in positions {
            guard position.lane < 64 else { return .event }
            lanes |= 1 << UInt64(position.lane)
        }
        return .superseding(slot: slot, lanes: lanes)
    }

    // MARK: - Of use cases

    package func tell(_ item: NewsItem, to audience: NewsAudience) {
        let recipients: [SubscriberID]
        switch audience {
        case .users(let users): recipients = users.flatMap { connections(of: $0) }
        case .subscribers(let subscribers): recipients = subscribers
        }
        guard !recipients.isEmpty else { return }
        metrics.passing(to: recipients.count)
        sender.send(renderer.frame(of: item), to: recipients)
    }

    package var endedSignIns: UInt64 { revocation.count }

    @discardableResult
    package func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int { revocation.end(userID, because: reason, except: kept, where: isEnded) }
}

extension Announcement {
    /// `true` if it closes the receivers' connections.
    fileprivate var endsConnections: Bool { if case .linkEnded = self { true } else { false } }
}
