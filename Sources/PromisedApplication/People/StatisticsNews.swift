package import Logging
package import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Notifies users that their statistics changed, when a result became final or an excuse changed one.
///
/// Sessions announce without waiting and statistics are read from the store, so notices are queued. A user whose notice
/// is dropped from the full queue sees the statistics at the next request.
package final class StatisticsNews: Sendable {
    /// The most queued notices.
    private static let capacity = 10_000

    private let users: AsyncStream<UserID>
    private let continuation: AsyncStream<UserID>.Continuation

    package init() {
        (users, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(StatisticsNews.capacity))
    }

    /// Queues notices for a durable event that may change users' statistics.
    package func note(_ event: PromiseEvent, in view: SessionView) {
        guard let result = view.result else { return }
        switch event.traits.changesStatistics {
        case .nobody: break
        case .user(let userID): continuation.yield(userID)
        case .peopleInResult: for row in result.rows { continuation.yield(row.userID) }
        }
    }

    /// Sends notices until the task is cancelled.
    ///
    /// - Parameters:
    ///   - connections: the connections of users; a user without one is not notified.
    package func run(store: some HasAccounts, connections: any ConnectionIndex, news: any News, log: Logger) async {
        for await userID in users where !connections.connections(of: userID).isEmpty {
            do throws(StoreError) {
                news.tell(.statisticsChanged(try await store.accounts.statistics(of: userID)), to: .user(userID))
            } catch {
                log.error("Statistics could not be read", metadata: ["user": "\(userID)", "error": "\(error)"])
            }
        }
    }
}
