internal import PromisedEngine

/// Users among one another: friendships, profiles, and notifications.
package struct PeopleUseCases: Sendable {
    package let friendships: Friendships
    package let profiles: Profiles
    package let notifications: Notifications
    let dispatcher: NotificationDispatcher

    init(_ ports: ApplicationPorts, _ core: ApplicationCore) {
        let connections = ports.connections
        friendships = Friendships(
            store: ports.store,
            sessions: core.engine.registry,
            news: connections.news,
            notifications: connections.notifications,
            throttles: core.throttles
        )
        profiles = Profiles(
            store: ports.store,
            cards: connections.cards,
            throttles: core.throttles,
            notifications: connections.notifications
        )
        notifications = Notifications(store: ports.store, queue: connections.notifications)
        dispatcher = NotificationDispatcher(
            queue: connections.notifications,
            store: ports.store,
            news: connections.news,
            leases: connections.leases,
            clock: ports.clock,
            log: ports.log
        )
    }
}
