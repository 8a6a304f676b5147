package import PromisedDomain
import PromisedPlaces

/// The account whose share of the day's requests a fetch uses.
package struct WeatherPayer: Hashable, Sendable {
    package let account: UserID
    /// `true` for a promise that the account owns, `false` for its user's request about a place.
    package let isOwnPromise: Bool

    /// The user who requests the weather of a place.
    package static func asker(_ account: UserID) -> WeatherPayer { WeatherPayer(account: account, isOwnPromise: false) }

    package static func owner(_ account: UserID) -> WeatherPayer { WeatherPayer(account: account, isOwnPromise: true) }
}

/// The requests of a day that each account has caused on this node, for each purpose.
///
/// Stores at most as many accounts as there are requests in a day. A restart clears them; the day's budget is in the
/// archive.
struct WeatherShares {
    private struct Share: Hashable {
        let payer: WeatherPayer
        let purpose: WeatherBudget.Purpose
    }

    private var day: Int64 = 0
    private var spent: [Share: Int] = [:]

    /// The remaining requests of an account for a day; unlimited without an account.
    func left(
        of payer: WeatherPayer?,
        for purpose: WeatherBudget.Purpose,
        in budget: WeatherBudget,
        on day: Int64
    ) -> Int {
        guard let payer else { return .max }
        let used = day == self.day ? spent[Share(payer: payer, purpose: purpose), default: 0] : 0
        return max(0, budget.share(for: purpose, isOwnPromise: payer.isOwnPromise) - used)
    }

    /// Counts `requests` that a fetch sends for an account. The last fetch may exceed its share.
    mutating func spend(_ requests: Int, of payer: WeatherPayer?, for purpose: WeatherBudget.Purpose, on day: Int64) {
        guard let payer else { return }
        if day != self.day {
            self.day = day
            spent = [:]
        }
        spent[Share(payer: payer, purpose: purpose), default: 0] += requests
    }
}
