internal import Logging
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedTransport
internal import PromisedWire

/// The engine's announcer: renders a session's announcements once, and shares the bytes.
final class Broadcaster: Announcer, Directory, Notifier, WeatherListener {
    private let connections: Connections
    private let sender: Sender
    private let cards: UserCardCache
    private let statistics: StatisticsNews
    private let notifications: NotificationQueue
    private let traffic: TrafficMeter
    private let clock: any WallClock
    private let metrics: DeliveryMetrics

    init(
        connections: Connections,
        sender: Sender,
        cards: UserCardCache,
        statistics: StatisticsNews,
        notifications: NotificationQueue,
        traffic: TrafficMeter,
        clock: any WallClock,
        metrics: DeliveryMetrics
    ) {
        self.metrics = metrics
        self.clock = clock
        self.statistics = statistics
        self.notifications = notifications
        self.traffic = traffic
        self.connections = connections
        self.sender = sender
        self.cards = cards
    }

    func connections(of userID: UserID) -> [SubscriberID] { connections.connections(of: userID).map(\.subscriberID) }

    func note(_ event: NumberedEvent, in view: SessionView) {
        statistics.note(event.event, in: view)
        notifications.note(event, in: view)
    }

    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        guard !subscribers.isEmpty else { return }
        let frames = announcements.map { frame(of: $0, of: promiseID, to: subscribers.count) }
        sender.send(frames, to: subscribers)
        guard announcements.contains(where: \.endsConnections) else { return }
        let ended = connections.connections(subscribers.lazy.map(\.rawValue))
        for connection in ended { sender.close(connection, .sessionRevoked) }
    }

    /// Sends an announcement and counts it.
    private func frame(
        of announcement: Announcement,
        of promiseID: PromiseID,
        to recipients: Int
    ) -> (OutgoingFrame, Delivery) {
        let event: WireEvent
        switch announcement {
        case .event(let numbered, let view):
            metrics.event(to: recipients)
            event = WireEvent(numbered, in: view, card: cards.card)
        case .positions(let positions, let nextReport):
            metrics.positions(positions.count, to: recipients)
            traffic.note(TrafficMeter.Counts(deliveries: positions.count * recipients))
            let frame = PositionsFrame(positions: positions, of: promiseID, nextReport: nextReport, at: clock.now)
            return (.positions(frame), Broadcaster.superseding(positions, slot: promiseID.low))
        case .passing(let passing):
            metrics.passing(to: recipients)
            event = WireEvent(passing: passing, of: promiseID, at: clock.now)
        case .linkView(let link):
            metrics.passing(to: recipients)
            var changed = WireEvent.LinkViewChanged()
            changed.view = WireLinkView(link.view, endsAt: link.endsAt, at: clock.now, card: cards.card)
            event = WireEvent(.linkViewChanged(changed), of: promiseID, at: clock.now)
        case .linkEnded(let end):
            metrics.passing(to: recipients)
            var revoked = WireEvent.SessionRevoked()
            revoked.reason = end.rawValue
            event = WireEvent(personal: .sessionRevoked(revoked), at: clock.now)
        }
        return (.message(WireServerFrame(event: event)), .event)
    }

    func tell(_ userID: UserID, _ notice: Notice) {
        switch notice {
        case .friendRequested(let card):
            var event = WireEvent.FriendRequested()
            event.user = WireUserCard(card)
            tell(userID, .friendRequested(event))
        case .friendAdded(let card):
            var event = WireEvent.FriendAdded()
            event.user = WireUserCard(card)
            tell(userID, .friendAdded(event))
        case .friendRemoved(let friend):
            var event = WireEvent.FriendRemoved()
            event.userID = friend.wireText
            tell(userID, .friendRemoved(event))
        case .notification(let notification, let card): tell(userID, .notification(notification, card: card))
        }
    }

    func tell(_ userID: UserID, _ outlook: PlaceOutlook, of subject: OutlookSubject) {
        switch subject {
        case .promise(let id): tell(userID, .outlookReady(outlook, of: id))
        case .place(let id): tell(userID, .outlookReady(outlook, of: id))
        }
    }

    func tell(_ subscribers: [SubscriberID], changed outlook: PlaceOutlook, of promiseID: PromiseID) {
        metrics.passing(to: subscribers.count)
        let event = WireEvent(.weatherChanged(outlook), of: promiseID, at: clock.now)
        sender.send(WireServerFrame(event: event), to: subscribers)
    }

    func weatherTurned(of promiseID: PromiseID, for users: [UserID]) async {
        notifications.arose(.weatherTurned(promiseID), for: users, isOnce: true)
    }

    /// Notifies users of the visits created from their arrivals by a result.
    func visitsMade(_ visits: [Visit]) {
        for visit in visits {
            notifications.arose(.visitMade(visit.id), for: [visit.userID], isOnce: true)
            var event = WireEvent.VisitMade()
            event.visit = WireVisit(visit, isOwn: true, files: [:], card: cards.card)
            tell(visit.userID, .visitMade(event))
        }
    }

    /// Notifies a user of their interrupted recording.
    func interrupted(_ recording: Recording, of userID: UserID) {
        var event = WireEvent.RecordingInterrupted()
        event.recording = WireRecording(recording)
        tell(userID, .recordingInterrupted(event))
    }

    /// Notifies a user that the archive of their data is complete.
    func exportReady(_ file: StoredFile, for userID: UserID) {
        var event = WireEvent.ExportReady()
        event.file = WireStoredFile(file)
        tell(userID, .exportReady(event))
    }

    /// Sends a user an event outside any promise, on all their connections.
    func tell(_ userID: UserID, _ what: WireEvent.OneOf_What) { tell([userID], what) }

    /// Sends users the same event outside any promise, on all their connections.
    func tell(_ users: [UserID], _ what: WireEvent.OneOf_What) {
        let event = WireEvent(personal: what, at: clock.now)
        let recipients = users.flatMap { connections(of: $0) }
        metrics.passing(to: recipients.count)
        sender.send(WireServerFrame(event: event), to: recipients)
    }

    /// Newer positions replace queued ones of the same participants. A mask has 64 bits, one per participant; a promise
    /// with more participants over time sends the others as events, which only a slow reader notices.
    private static func superseding(_ positions: [LivePosition], slot: UInt64) -> Delivery {
        var lanes: UInt64 = 0
        for position in positions {
            guard position.lane < 64 else { return .event }
            lanes |= 1 << UInt64(position.lane)
        }
        return .superseding(slot: slot, lanes: lanes)
    }
}

extension Announcement {
    /// `true` if it closes the receivers' connections.
    fileprivate var endsConnections: Bool { if case .linkEnded = self { true } else { false } }
}

/// Notifies users that their statistics changed, when a result became final or an excuse changed one.
///
/// Sessions announce without waiting and statistics are read from the store, so notices are queued. A user whose notice
/// is dropped from the full queue sees the statistics at the next request.
final class StatisticsNews: Sendable {
    /// The most queued notices.
    private static let capacity = 10_000

    private let users: AsyncStream<UserID>
    private let continuation: AsyncStream<UserID>.Continuation

    init() {
        (users, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(StatisticsNews.capacity))
    }

    /// Queues notices for a durable event that may change users' statistics.
    func note(_ event: PromiseEvent, in view: SessionView) {
        guard let result = view.result else { return }
        switch event.traits.changesStatistics {
        case .nobody: break
        case .user(let userID): continuation.yield(userID)
        case .peopleInResult: for row in result.rows { continuation.yield(row.userID) }
        }
    }

    /// Sends notices until the task is cancelled.
    func run(store: some HasAccounts, broadcaster: Broadcaster, connections: Connections, log: Logger) async {
        for await userID in users where !connections.connections(of: userID).isEmpty {
            do throws(StoreError) {
                var event = WireEvent.StatisticsChanged()
                event.statistics = WireStatistics(try await store.accounts.statistics(of: userID))
                broadcaster.tell(userID, .statisticsChanged(event))
            } catch {
                log.error("Statistics could not be read", metadata: ["user": "\(userID)", "error": "\(error)"])
            }
        }
    }
}
