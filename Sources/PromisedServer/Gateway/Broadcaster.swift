internal import PromisedDomain
internal import PromisedEngine
internal import PromisedTransport
internal import PromisedWire

/// The engine's way to the clients: renders what sessions tell, once, and shares the bytes.
final class Broadcaster: PromisedEngine.Outbox, Directory {
    private let connections: Connections
    private let sender: Sender
    private let cards: CardBook
    private let statistics: StatisticsNews
    private let traffic: TrafficMeter
    private let clock: any WallClock
    private let metrics: DeliveryMetrics

    init(
        connections: Connections,
        sender: Sender,
        cards: CardBook,
        statistics: StatisticsNews,
        traffic: TrafficMeter,
        clock: any WallClock,
        metrics: DeliveryMetrics
    ) {
        self.metrics = metrics
        self.clock = clock
        self.statistics = statistics
        self.traffic = traffic
        self.connections = connections
        self.sender = sender
        self.cards = cards
    }

    func connections(of userID: UserID) -> [SubscriberID] {
        connections.connections(of: userID).map { SubscriberID(rawValue: $0.id.rawValue) }
    }

    func deliver(_ announcement: Announcement, of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        let recipients = connections.connections(subscribers.lazy.map(\.rawValue))
        guard !recipients.isEmpty else { return }
        switch announcement {
        case .event(let numbered, let view):
            statistics.note(numbered.event, in: view)
            metrics.event(to: recipients.count)
            sender.send(WireServerFrame(event: WireEvent(numbered, in: view, card: cards.card)), to: recipients)
        case .positions(let positions, let nextReport):
            metrics.positions(positions.count, to: recipients.count)
            let event = WireEvent(positions: positions, of: promiseID, nextReport: nextReport, at: clock.now)
            traffic.note(TrafficMeter.Counts(deliveries: positions.count * recipients.count))
            let delivery = Broadcaster.superseding(positions, slot: promiseID.low)
            sender.send(WireServerFrame(event: event), to: recipients, as: delivery)
        case .passing(let passing):
            metrics.passing(to: recipients.count)
            let event = WireEvent(passing: passing, of: promiseID, at: clock.now)
            sender.send(WireServerFrame(event: event), to: recipients)
        case .linkView(let link):
            metrics.passing(to: recipients.count)
            var changed = WireEvent.LinkViewChanged()
            changed.view = WireLinkView(link.view, endsAt: link.endsAt, at: clock.now, card: cards.card)
            let event = WireEvent(.linkViewChanged(changed), of: promiseID, at: clock.now)
            sender.send(WireServerFrame(event: event), to: recipients)
        case .linkEnded(let end):
            metrics.passing(to: recipients.count)
            var revoked = WireEvent.SessionRevoked()
            revoked.reason = end.rawValue
            let event = WireEvent(personal: .sessionRevoked(revoked), at: clock.now)
            sender.send(WireServerFrame(event: event), to: recipients)
            for recipient in recipients { sender.close(recipient, .sessionRevoked) }
        }
    }

    /// Tells a user something outside any promise, on all their connections.
    func tell(_ userID: UserID, _ what: WireEvent.OneOf_What) {
        let event = WireEvent(personal: what, at: clock.now)
        let recipients = connections.connections(of: userID)
        metrics.passing(to: recipients.count)
        sender.send(WireServerFrame(event: event), to: recipients)
    }

    /// Newer positions replace waiting ones of the same participants. There is a bit for each of 64 lanes; a promise
    /// with more people over time than that sends the rest as events, which only a slow reader notices.
    private static func superseding(_ positions: [LivePosition], slot: UInt64) -> Delivery {
        var lanes: UInt64 = 0
        for position in positions {
            guard position.lane < 64 else { return .event }
            lanes |= 1 << UInt64(position.lane)
        }
        return .superseding(slot: slot, lanes: lanes)
    }
}
