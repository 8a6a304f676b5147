internal import PromisedProtocol

extension PromisedClient {
    /// Follows a promise from now on, over all connections: its feed begins with a snapshot, or goes on from `mark`.
    ///
    /// While offline, or not signed in, the feed waits. A promise has one feed: following it again ends the one before.
    ///
    /// - Parameter mark: the last one the app dealt with, from ``FeedNotice/mark``; nil: begin with a snapshot.
    public func follow(_ promiseID: String, from mark: FeedMark? = nil) -> PromiseFeed {
        feeds.removeValue(forKey: promiseID)?.continuation.finish()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: FeedNotice.self,
            bufferingPolicy: .bufferingOldest(PromiseFeed.limit)
        )
        guard phase != .over else {
            continuation.finish()
            return PromiseFeed(stream: stream)
        }
        lastFeedNumber += 1
        let number = lastFeedNumber
        feeds[promiseID] = Following(number: number, machine: FeedMachine(mark: mark), continuation: continuation)
        continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason, let self else { return }
            // Ends by itself at once: it only forgets a feed that nobody reads any more.
            Task { await self.unfollow(promiseID, number: number) }
        }
        feedBell.ring()
        return PromiseFeed(stream: stream)
    }

    /// Follows a promise no more, and forgets how far its feed had come; the feed ends.
    public func unfollow(_ promiseID: String) {
        guard let feed = feeds[promiseID] else { return }
        unfollow(promiseID, number: feed.number)
    }

    private func unfollow(_ promiseID: String, number: Int) {
        guard let feed = feeds[promiseID], feed.number == number else { return }
        end(promiseID, with: nil)
        guard feed.machine.phase != .idle(.zero), isSignedIn else { return }
        unsubscribe(from: promiseID)
    }

    /// Ends the subscription on the present connection, whether there is one or not.
    private func unsubscribe(from promiseID: String) {
        post {
            var request = WireUnsubscribe()
            request.promiseID = promiseID
            return .unsubscribe(request)
        }
    }

    // MARK: - Events

    /// An event goes to the feed of its promise, or else to the notices; and to the reporters.
    func hear(_ event: WireEvent) {
        for desk in desks { desk.heard(event, at: time.uptime) }
        guard let notices = feeds[event.promiseID]?.machine.heard(event, at: time.uptime) else {
            return tell(.event(event))
        }
        deliver(notices, to: event.promiseID)
        feedBell.ring()
    }

    private func deliver(_ notices: [FeedNotice], to promiseID: String) {
        guard let feed = feeds[promiseID] else { return }
        for notice in notices {
            guard case .dropped = feed.continuation.yield(notice) else { continue }
            end(promiseID, with: .readTooSlowly)
            return unsubscribe(from: promiseID)
        }
    }

    private func end(_ promiseID: String, with error: ClientError?) {
        guard let feed = feeds.removeValue(forKey: promiseID) else { return }
        feed.continuation.finish(throwing: error)
    }

    /// Ends every feed: the client is over.
    func endFeeds() {
        for id in Array(feeds.keys) { end(id, with: nil) }
    }

    // MARK: - Subscriptions

    /// Subscribes on the present connection to whatever is followed, again and again where needed; until the task is
    /// cancelled.
    func keepFeedsSubscribed() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                for subscription in dueSubscriptions() { group.addTask { await self.make(subscription) } }
                await feedBell.wait(until: nextSubscription(), on: time)
            }
        }
    }

    /// Asks again, now that the connection is signed in, what was refused for that.
    func wakeFeeds() {
        for id in feeds.keys { feeds[id]?.machine.connectionReady() }
        feedBell.ring()
    }

    private func dueSubscriptions() -> [Subscription] {
        guard phase == .online, isSignedIn else { return [] }
        let now = time.uptime
        let due = feeds.filter { feed in feed.value.machine.askAt.map { $0 <= now } ?? false }
        return due.keys.sorted().compactMap { id in
            guard var feed = feeds[id] else { return nil }
            let request = feed.machine.ask(for: id)
            feeds[id] = feed
            return Subscription(promiseID: id, number: feed.number, connection: connectionCount, request: request)
        }
    }

    private func nextSubscription() -> Duration? {
        guard phase == .online, isSignedIn else { return nil }
        return feeds.values.compactMap(\.machine.askAt).min()
    }

    private func make(_ subscription: Subscription) async {
        do throws(ClientError) {
            let request = subscription.request
            let reply = try await ask(on: subscription.connection, for: subscription) { .subscribe(request) }
            guard case .subscribed = reply else { throw .unexpectedReply }
        } catch {
            // A late outcome says nothing about a feed that began anew, or about a connection that came after.
            guard isCurrent(subscription), subscription.connection == connectionCount, phase == .online else { return }
            notSubscribed(subscription.promiseID, error)
        }
        feedBell.ring()
    }

    /// Takes the reply before anything that came after it: what happens next is told in its place.
    func take(_ reply: WireSubscribed, for subscription: Subscription) {
        guard isCurrent(subscription) else { return }
        let promiseID = subscription.promiseID
        for desk in desks { desk.subscribed(promiseID, nextReportMs: reply.nextReportMs, at: time.uptime) }
        do throws(FeedMachine.Fault) {
            deliver(try feeds[promiseID]?.machine.answered(reply, at: time.uptime) ?? [], to: promiseID)
        } catch {
            end(promiseID, with: .unexpectedReply)
        }
    }

    private func isCurrent(_ subscription: Subscription) -> Bool {
        feeds[subscription.promiseID]?.number == subscription.number
    }

    private func notSubscribed(_ promiseID: String, _ error: ClientError) {
        switch error {
        case .refused(let reply):
            switch Retry(reply.retry) ?? .never {
            case .never: end(promiseID, with: error)
            case .later:
                let wait = Duration.milliseconds(Int64(reply.retryAfterMs))
                feeds[promiseID]?.machine.postpone(by: max(wait, .seconds(1)), at: time.uptime)
            case .afterRejoin: feeds[promiseID]?.machine.waitForNextConnection()
            }
        case .timedOut: feeds[promiseID]?.machine.postpone(by: .seconds(1), at: time.uptime)
        case .disconnected, .cancelled, .closed: feeds[promiseID]?.machine.connectionLost()
        case .unexpectedReply, .unencodable, .readTooSlowly: end(promiseID, with: error)
        }
    }
}
