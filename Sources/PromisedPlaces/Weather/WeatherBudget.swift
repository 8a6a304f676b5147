package import PromisedDomain

/// The budget of today's requests to providers.
package struct WeatherBudget: Hashable, Sendable {
    /// The purpose of querying a provider.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A promise that begins within the next 24 h.
        case soon
        /// Anything else.
        case ordinary

        /// The purpose of requesting the weather of a promise that meets at `meetingTime`.
        package init(ofPromiseAt meetingTime: Instant, now: Instant) {
            self = meetingTime >= now && meetingTime <= now + .hours(24) ? .soon : .ordinary
        }
    }

    /// The greatest number of requests a day, 0 or more.
    package let daily: Int
    /// The requests sent today.
    package let spent: Int

    /// A budget of `daily` requests of which `spent` are used.
    package init(daily: Int, spent: Int) {
        self.daily = daily
        self.spent = spent
    }

    /// A fifth of the requests, rounded up: reserved for promises that begin soon.
    package var reserve: Int { (daily + 4) / 5 }

    /// The number of requests of a day that may be sent for `purpose`.
    package func limit(for purpose: Purpose) -> Int {
        switch purpose {
        case .soon: daily
        case .ordinary: daily - reserve
        }
    }

    /// The number of requests per day that one account may cause, rounded up: a twentieth of all by its queries about
    /// places; by its own promises a quarter of all, and half of the reserve if they begin soon, but at least ten of
    /// each. So no account can use up the budget.
    ///
    /// - Parameter isOwnPromise: `true` for the weather of a promise that the account owns.
    package func share(for purpose: Purpose, isOwnPromise: Bool) -> Int {
        guard isOwnPromise else { return (daily + 19) / 20 }
        switch purpose {
        case .soon: return max(10, (reserve + 1) / 2)
        case .ordinary: return max(10, (daily + 3) / 4)
        }
    }

    /// The remaining number of requests for `purpose`.
    package func left(for purpose: Purpose) -> Int { max(0, limit(for: purpose) - spent) }

    /// The day to which a request at `instant` counts: days since 1970-01-01 in UTC.
    package static func day(of instant: Instant) -> Int64 {
        instant.milliseconds.dividedFloor(by: TimeSpan.days(1).milliseconds)
    }
}
