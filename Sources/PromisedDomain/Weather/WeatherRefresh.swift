/// The decision whether a provider is asked for a cell's weather, and the answer meanwhile.
///
/// Everything it looks at is a value: the record, the provider's health, the budget and the clock.
package struct WeatherRefresh: Sendable {
    /// The next step.
    package enum Step: Hashable, Sendable {
        /// Answer from the record.
        case serve
        /// Ask the provider.
        case fetch
        /// The provider is being asked: wait for its answer.
        case wait
        /// Try the next provider. The state is the answer if there is none.
        case skip
    }

    /// The decision.
    package struct Decision: Hashable, Sendable {
        /// The next step.
        package let step: Step
        /// The state of the answer that is available at once.
        package let state: WeatherState

        /// A decision to do `step`, and to answer with `state` meanwhile.
        package init(step: Step, state: WeatherState) {
            self.step = step
            self.state = state
        }
    }

    /// The provider.
    package var source: WeatherSource
    /// The stored record of the cell, from this provider.
    package var record: WeatherRecord?
    /// The server's clock.
    package var now: Instant
    /// The age beyond which a record is fetched anew.
    package var refresh: TimeSpan
    /// Whether every part of the record can be asked for.
    package var standing: ProviderHealth.Standing
    /// The requests that may still be sent for the purpose at hand.
    package var requestsLeft: Int
    /// `true` while the cell is being fetched.
    package var isUnderway: Bool

    /// A decision's grounds.
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

    /// The decision when the weather at `instant` is asked for.
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

    /// `true` if the record is missing or should be replaced, and the provider allows it.
    package var isDue: Bool {
        guard let record else { return true }
        if let expiresAt = record.expiresAt, now < expiresAt { return false }
        if age > refresh { return true }
        guard let published = source.lastPublication(at: now) else { return false }
        return record.fetchedAt < published
    }

    // MARK: - States

    private var age: TimeSpan { record.map { now - $0.fetchedAt } ?? .zero }

    /// A forecast may say something of `instant`; the record decides otherwise.
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
