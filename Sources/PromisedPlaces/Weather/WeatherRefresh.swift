package import PromisedDomain

/// Decides whether to query a provider for a cell's weather, and how to answer meanwhile.
///
/// All inputs are values: the record, the provider's health, the budget and the clock.
package struct WeatherRefresh: Sendable {
    /// The next step.
    package enum Step: Hashable, Sendable {
        /// Answer from the record.
        case serve
        /// Query the provider.
        case fetch
        /// The provider is being queried: wait for its answer.
        case wait
        /// Try the next provider. The state is the answer without one.
        case skip
    }

    package struct Decision: Hashable, Sendable {
        package let step: Step
        /// The state of the answer that is available at once.
        package let state: WeatherState

        /// Perform `step`, and answer with `state` meanwhile.
        package init(step: Step, state: WeatherState) {
            self.step = step
            self.state = state
        }
    }

    package var source: WeatherSource
    /// The stored record of the cell, from this provider.
    package var record: WeatherRecord?
    /// The server's clock.
    package var now: Instant
    /// The age beyond which a record is fetched again.
    package var refresh: TimeSpan
    /// The provider's standing for all parts of the record.
    package var standing: ProviderHealth.Standing
    /// The remaining requests for the purpose at hand.
    package var requestsLeft: Int
    /// `true` while the cell is being fetched.
    package var isUnderway: Bool

    /// The inputs of a decision.
    package init(
        source: WeatherSource,
        record: WeatherRecord?,
        now: Instant,
        refresh: TimeSpan,
        standing: ProviderHealth.Standing = .free,
        requestsLeft: Int,
        isUnderway: Bool = false
    ) {
        self.source = source
        self.record = record
        self.now = now
        self.refresh = refresh
        self.standing = standing
        self.requestsLeft = requestsLeft
        self.isUnderway = isUnderway
    }

    /// The decision for a request of the weather at `instant`.
    package func decision(at instant: Instant) -> Decision {
        guard isReachable(instant) else { return Decision(step: .serve, state: .beyond) }
        guard isDue else { return decisionWhenFresh(at: instant) }
        if isUnderway { return Decision(step: .wait, state: stateMeanwhile(at: instant)) }
        switch standing {
        case .refused: return Decision(step: .skip, state: stateWithoutProvider(at: instant))
        case .backingOff: return decisionWithoutProvider(at: instant)
        case .free where requestsLeft < 1: return decisionWithoutProvider(at: instant)
        case .free: return Decision(step: .fetch, state: stateMeanwhile(at: instant))
        }
    }

    /// `true` if the record is missing or outdated, and the provider may be queried.
    package var isDue: Bool {
        guard let record else { return true }
        if let expiresAt = record.expiresAt, now < expiresAt { return false }
        if age > refresh { return true }
        guard let published = source.lastPublication(at: now) else { return false }
        return record.fetchedAt < published
    }

    // MARK: - States

    private var age: TimeSpan { record.map { now - $0.fetchedAt } ?? .zero }

    /// `true` if a forecast can cover `instant`; the record has the final say.
    private func isReachable(_ instant: Instant) -> Bool {
        if let record, record.covers(instant) { return true }
        return instant >= now - .hours(1) && instant <= now + source.horizon
    }

    private func isUsable(at instant: Instant) -> Bool {
        guard let record else { return false }
        return record.covers(instant) && age <= WeatherRecord.longestUse
    }

    private func decisionWhenFresh(at instant: Instant) -> Decision {
        guard let record, !record.isEmpty else { return Decision(step: .skip, state: .beyond) }
        return Decision(step: .serve, state: record.covers(instant) ? .ready : .beyond)
    }

    private func decisionWithoutProvider(at instant: Instant) -> Decision {
        if let record, record.isEmpty { return Decision(step: .skip, state: .beyond) }
        // Without a record another provider may have data for the cell.
        let state = stateWithoutProvider(at: instant)
        return Decision(step: state == .stale ? .serve : .skip, state: state)
    }

    private func stateWithoutProvider(at instant: Instant) -> WeatherState {
        isUsable(at: instant) ? .stale : .unavailable
    }

    private func stateMeanwhile(at instant: Instant) -> WeatherState {
        guard isUsable(at: instant) else { return .pending }
        return age <= refresh ? .ready : .stale
    }
}
