internal import PromisedProtocol

/// One attempt to subscribe.
struct Subscription: Hashable, Sendable {
    let promiseID: String
    /// Distinguishes the feed from an earlier one of the same promise.
    let number: Int
    let connection: Int
    let request: WireSubscribe
}

/// The followed promises, each with the stream of its reader.
struct FeedTable: Sendable {
    /// The outcome for an event or a reply.
    enum Delivery: Hashable, Sendable {
        case notFollowed, delivered
        /// The feed ended because its reader is too slow.
        case overflowed
    }

    private struct Feed: Sendable {
        let number: Int
        var machine: FeedMachine
        let continuation: AsyncThrowingStream<FeedNotice, any Error>.Continuation
    }

    private var feeds: [String: Feed] = [:]
    private var lastNumber = 0
    /// Signalled when a subscription may be due.
    let wakeSignal = WakeSignal()

    // MARK: - Following

    /// Begins a feed; ends the promise's previous one.
    ///
    /// - Parameter onCancel: called with the feed's number when its reader stops.
    mutating func follow(
        _ promiseID: String,
        from mark: FeedMark?,
        onCancel: @escaping @Sendable (Int) -> Void
    ) -> PromiseFeed {
        end(promiseID, with: nil)
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: FeedNotice.self,
            bufferingPolicy: .bufferingOldest(PromiseFeed.limit)
        )
        lastNumber += 1
        let number = lastNumber
        feeds[promiseID] = Feed(number: number, machine: FeedMachine(mark: mark), continuation: continuation)
        continuation.onTermination = { reason in
            if case .cancelled = reason { onCancel(number) }
        }
        wakeSignal.signal()
        return PromiseFeed(stream: stream)
    }

    /// Ends a feed.
    ///
    /// - Parameter number: the feed to end; nil: any.
    /// - Returns: `true` if the server may have a subscription for it.
    mutating func unfollow(_ promiseID: String, number: Int? = nil) -> Bool {
        guard let feed = feeds[promiseID], number ?? feed.number == feed.number else { return false }
        end(promiseID, with: nil)
        return feed.machine.phase != .idle(.zero)
    }

    mutating func endAll() {
        for id in Array(feeds.keys) { end(id, with: nil) }
    }

    private mutating func end(_ promiseID: String, with error: ClientError?) {
        guard let feed = feeds.removeValue(forKey: promiseID) else { return }
        feed.continuation.finish(throwing: error)
    }

    // MARK: - Events

    mutating func heard(_ event: WireEvent, at now: Duration) -> Delivery {
        guard let notices = feeds[event.promiseID]?.machine.heard(event, at: now) else { return .notFollowed }
        defer { wakeSignal.signal() }
        return deliver(notices, to: event.promiseID)
    }

    private mutating func deliver(_ notices: [FeedNotice], to promiseID: String) -> Delivery {
        guard let feed = feeds[promiseID] else { return .notFollowed }
        for notice in notices {
            guard case .dropped = feed.continuation.yield(notice) else { continue }
            end(promiseID, with: .readTooSlowly)
            return .overflowed
        }
        return .delivered
    }

    // MARK: - The connection

    mutating func connectionLost() {
        for id in feeds.keys { feeds[id]?.machine.connectionLost() }
    }

    /// Records that the connection is signed in (again): resends requests that were refused for that.
    mutating func connectionReady() {
        for id in feeds.keys { feeds[id]?.machine.connectionReady() }
        wakeSignal.signal()
    }

    // MARK: - Subscriptions

    /// When the next subscription is due; nil without one.
    var nextSubscription: Duration? { feeds.values.compactMap(\.machine.askAt).min() }

    /// The due subscriptions, in the order of the promises' ids.
    mutating func dueSubscriptions(at now: Duration, on connection: Int) -> [Subscription] {
        let due = feeds.filter { feed in feed.value.machine.askAt.map { $0 <= now } ?? false }
        return due.keys.sorted().compactMap { id in
            guard var feed = feeds[id] else { return nil }
            let request = feed.machine.ask(for: id)
            feeds[id] = feed
            return Subscription(promiseID: id, number: feed.number, connection: connection, request: request)
        }
    }

    /// `true` unless the feed has ended or restarted.
    func isCurrent(_ subscription: Subscription) -> Bool {
        feeds[subscription.promiseID]?.number == subscription.number
    }

    mutating func answered(_ reply: WireSubscribed, for subscription: Subscription, at now: Duration) -> Delivery {
        guard isCurrent(subscription) else { return .notFollowed }
        let promiseID = subscription.promiseID
        do throws(FeedMachine.Fault) {
            return deliver(try feeds[promiseID]?.machine.answered(reply, at: now) ?? [], to: promiseID)
        } catch {
            end(promiseID, with: .unexpectedReply)
            return .notFollowed
        }
    }

    /// Records that a current subscription did not get the expected reply.
    mutating func failed(_ subscription: Subscription, _ error: ClientError, at now: Duration) {
        guard isCurrent(subscription) else { return }
        let promiseID = subscription.promiseID
        switch error {
        case .refused(let reply):
            switch Retry(reply.retry) ?? .never {
            case .never: end(promiseID, with: error)
            case .later:
                let wait = Duration.milliseconds(Int64(reply.retryAfterMs))
                feeds[promiseID]?.machine.postpone(by: max(wait, .seconds(1)), at: now)
            case .afterRejoin: feeds[promiseID]?.machine.waitForNextConnection()
            }
        case .timedOut: feeds[promiseID]?.machine.postpone(by: .seconds(1), at: now)
        case .disconnected, .cancelled, .closed: feeds[promiseID]?.machine.connectionLost()
        case .unexpectedReply, .unencodable, .readTooSlowly, .corrupted: end(promiseID, with: error)
        }
    }
}
