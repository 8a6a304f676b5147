internal import Logging
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Tells people that their statistics changed, when a result became final or an excuse changed one.
///
/// Sessions announce without waiting and statistics are read from the store, so what is to be told stands in a queue.
/// Whoever is left out when it is full sees their statistics when they ask for them.
final class StatisticsNews: Sendable {
    /// Users waiting to be told at most.
    private static let capacity = 10_000

    private let users: AsyncStream<UserID>
    private let continuation: AsyncStream<UserID>.Continuation

    init() {
        (users, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(StatisticsNews.capacity))
    }

    /// Takes note of a durable event that may change somebody's statistics.
    func note(_ event: PromiseEvent, in view: SessionView) {
        guard let result = view.result else { return }
        switch event.traits.changesStatistics {
        case .nobody: break
        case .user(let userID): continuation.yield(userID)
        case .peopleInResult: for row in result.rows { continuation.yield(row.userID) }
        }
    }

    /// Tells until the task is cancelled.
    func run(store: Store, broadcaster: Broadcaster, connections: Connections, log: Logger) async {
        for await userID in users where !connections.connections(of: userID).isEmpty {
            do throws(StoreError) {
                var event = WireEvent.StatisticsChanged()
                event.statistics = WireStatistics(try await store.statistics(of: userID))
                broadcaster.tell(userID, .statisticsChanged(event))
            } catch {
                log.error("Statistics could not be read", metadata: ["user": "\(userID)", "error": "\(error)"])
            }
        }
    }
}
