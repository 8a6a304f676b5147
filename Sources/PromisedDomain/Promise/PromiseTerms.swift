/// The rule by which a promise decides about arrivals; stored with the promise, so that later changes of settings do
/// not affect it.
package struct ArrivalRule: Hashable, Sendable, Codable {
    /// The two ways to detect an arrival.
    package enum Name: String, Hashable, Sendable, Codable, CaseIterable {
        /// Stays, lingers or falls silent inside the circle (domain §6.1–§6.3).
        case robust
        /// The first fix inside counts at once (domain §6.8); for parity with simple trackers.
        case firstFix
    }

    /// How to treat fixes that a phone marks as simulated.
    package enum MockPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// They count, and the flag is stored for the explanation.
        case flag
        /// They are refused.
        case reject
    }

    /// The version of the rule that this server applies. Evidence contains the version that decided, and arrivals that
    /// an earlier version has confirmed stay confirmed (docs/decisions/0052-one-robust-rule.md). Raise it with each
    /// change of a decision.
    package static let version = 2

    /// The way arrivals are detected.
    package var name: Name
    /// How long after the meeting time an arrival still counts as on time.
    package var grace: TimeSpan
    /// How to treat simulated positions.
    package var mock: MockPolicy

    /// A rule; by default the robust one with a minute of grace that flags simulated positions.
    package init(name: Name = .robust, grace: TimeSpan = .seconds(60), mock: MockPolicy = .flag) {
        self.name = name
        self.grace = grace
        self.mock = mock
    }
}

/// The three spans around the meeting time; a promise retains those it was created under (domain §4).
package struct WindowSpans: Hashable, Sendable, Codable {
    /// From the opening of the window to the meeting time.
    package var before: TimeSpan
    /// From the meeting time to the end of the window.
    package var after: TimeSpan
    /// From the end of the window to the final result, for late uploads.
    package var settle: TimeSpan

    package static let longest = TimeSpan.hours(96)

    /// Window spans; by default 30 minutes, 3 hours and 15 minutes.
    package init(before: TimeSpan = .minutes(30), after: TimeSpan = .hours(3), settle: TimeSpan = .minutes(15)) {
        self.before = before
        self.after = after
        self.settle = settle
    }
}

/// The amount that a late participant owes the others: shown and computed, never charged.
package struct Penalty: Hashable, Sendable, Codable {
    /// The largest amount: the total of fifty people still fits into the protocol's 32 bits.
    package static let largestAmount: Int32 = 40_000_000

    /// The amount in minor units of the currency (cents, won), 0 to ``largestAmount``.
    package var amount: Int32
    /// Three capital letters of ISO 4217.
    package var currency: String

    /// A penalty of `amount` minor units of `currency`.
    package init(amount: Int32, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// `true` if the amount is in range and the currency three capital letters, the form of ISO 4217 codes.
    package var isValid: Bool {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return (0...Penalty.largestAmount).contains(amount) && currency.utf8.count == 3
            && currency.utf8.allSatisfy(letters.contains)
    }
}
