internal import PromisedApplication
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedTransport
internal import PromisedWire

/// The connections of clients, and the ways to reach them.
struct ClientConnections: Sendable {
    let connections = Connections()
    let cards = UserCardCache()
    let statistics = StatisticsNews()
    let traffic = TrafficMeter()
    let sender: Sender
    let broadcaster: Broadcaster
    let revocation: Revocation
    /// Their use by an application.
    let ports: ConnectionPorts

    init(_ context: ServerContext, through transport: WebSocketServer) {
        let metrics = DeliveryMetrics(context.metrics)
        let notifications = NotificationQueue(clock: context.clock, metrics: context.metrics)
        sender = Sender(
            transport,
            frameLimit: context.settings.limits.sentFrame,
            metrics: metrics,
            log: context.log
        )
        broadcaster = Broadcaster(
            connections: connections,
            sender: sender,
            cards: cards,
            statistics: statistics,
            notifications: notifications,
            traffic: traffic,
            clock: context.clock,
            metrics: metrics
        )
        revocation = Revocation(connections: connections, sender: sender, clock: context.clock)
        ports = ConnectionPorts(
            news: broadcaster,
            endings: revocation,
            leases: connections,
            cards: cards,
            notifications: notifications
        )
    }
}

extension Broadcaster: JournalListener {
    func shared(_ course: ShownCourse, with users: [UserID]) {
        var event = WireEvent.CourseShared()
        event.course = WireCourse(course)
        tell(users, .courseShared(event))
    }
}
