/// How many requests may still be sent to providers today.
package struct WeatherBudget: Hashable, Sendable {
    /// For which purpose a provider is asked.
    package enum Purpose: String, Hashable, Sendable, CaseIterable {
        /// A promise that begins within the next 24 h.
        case soon
        /// Anything else.
        case ordinary

        /// The purpose of the weather of a promise that meets at `meetingTime`.
        package init(ofPromiseAt meetingTime: Instant, now: Instant) {
            self = meetingTime >= now && meetingTime <= now + .hours(24) ? .soon : .ordinary
        }
    }

    /// The greatest number of requests a day, 0 or more.
    package let daily: Int
    /// The requests sent today.
    package let spent: Int

    /// A budget of `daily` requests of which `spent` are gone.
    package init(daily: Int, spent: Int) {
        self.daily = daily
        self.spent = spent
    }

    /// A fifth of the requests, rounded up: kept for promises that begin soon.
    package var reserve: Int { (daily + 4) / 5 }

    /// How many requests of a day may have been sent before one for `purpose` is too many.
    package func limit(for purpose: Purpose) -> Int {
        switch purpose {
        case .soon: daily
        case .ordinary: daily - reserve
        }
    }

    /// How many requests of a day one account may cause, rounded up: a twentieth of all by its questions about places; by
    /// its own promises a quarter of all, and half of the reserve if they begin soon, but at least ten of each. What it does
    /// leaves most to others.
    ///
    /// - Parameter isOwnPromise: `true` for the weather of a promise that the account owns.
    package func share(for purpose: Purpose, isOwnPromise: Bool) -> Int {
        guard isOwnPromise else { return (daily + 19) / 20 }
        switch purpose {
        case .soon: return max(10, (reserve + 1) / 2)
        case .ordinary: return max(10, (daily + 3) / 4)
        }
    }

    /// How many requests may still be sent for `purpose`.
    package func left(for purpose: Purpose) -> Int { max(0, limit(for: purpose) - spent) }

    /// The day to which a request at `instant` counts: days since 1970-01-01 in UTC.
    package static func day(of instant: Instant) -> Int64 {
        instant.milliseconds.dividedFloor(by: TimeSpan.days(1).milliseconds)
    }
}
