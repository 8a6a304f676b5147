package import CoreMetrics
package import Logging
package import PromisedApplication
package import PromisedEngine

/// The connections of a server, and the ports by which its other parts reach them.
package struct Peers: Sendable {
    /// Their use by an application.
    package let ports: ConnectionPorts
    package let connections = Connections()
    /// Notifies connections and users, and closes the connections of ended sign-ins.
    package let broadcaster: Broadcaster
    /// Tells users of changed statistics once it runs.
    package let statistics = StatisticsNews()
    let revocation: Revocation
    let sender: Sender
    let traffic = TrafficMeter()

    /// - Parameters:
    ///   - outlet: carries the connections.
    ///   - frameLimit: the largest frame that may be sent, in bytes.
    package init(
        _ outlet: any Outlet,
        frameLimit: Int,
        clock: any WallClock,
        metrics: any MetricsFactory,
        log: Logger
    ) {
        let deliveries = DeliveryMetrics(metrics)
        let cards = UserCardCache()
        let notifications = NotificationQueue(clock: clock, metrics: metrics)
        sender = Sender(outlet, frameLimit: frameLimit, metrics: deliveries, log: log)
        let renderer = EventRenderer(cards: cards, clock: clock)
        revocation = Revocation(connections: connections, sender: sender, renderer: renderer)
        broadcaster = Broadcaster(
            connections: connections,
            sender: sender,
            renderer: renderer,
            revocation: revocation,
            statistics: statistics,
            notifications: notifications,
            traffic: traffic,
            metrics: deliveries
        )
        ports = ConnectionPorts(
            news: broadcaster,
            leases: connections,
            cards: cards,
            notifications: notifications
        )
    }
}
