import PromisedDomain

/// The three limits on failed sign-ins (domain §2): per account and address, per account, per address.
///
/// A sign-in reserves its place before the password is checked, since the check takes long and a thousand guesses could
/// begin before the first has failed; when it succeeds, the place is given back. An account is named by the folded
/// e-mail address, whether or not it exists, so that the limits show nothing.
public struct SignInThrottle: Sendable {
    /// A place taken by one sign-in under way.
    public struct Reservation: Sendable, Hashable {
        fileprivate let account: String
        fileprivate let address: ThrottleAddress
        fileprivate let time: ContinuousClock.Instant
    }

    /// What a sign-in is answered before its password is looked at.
    public enum Answer: Sendable, Hashable {
        /// It may go on.
        case reserved(Reservation)
        /// Too many failures; `limit.attempts` with the time until a next attempt can have a place.
        case refused(retryAfter: Duration)
    }

    private struct Pair: Hashable, Sendable {
        let account: String
        let address: ThrottleAddress
    }

    private var pairs: AttemptThrottle<Pair>
    private var accounts: AttemptThrottle<String>
    private var addresses: AttemptThrottle<ThrottleAddress>

    /// A throttle with the limits of a configuration.
    public init(_ limits: ServerConfiguration.Throttle) {
        let window = limits.signInWindow.duration
        pairs = AttemptThrottle(limit: limits.signInsPerAccountAndAddress, window: window, memory: limits.memory)
        accounts = AttemptThrottle(limit: limits.signInsPerAccount, window: window, memory: limits.memory)
        addresses = AttemptThrottle(limit: limits.signInsPerAddress, window: window, memory: limits.memory)
    }

    /// Takes a place for a sign-in, or says how long it has to wait; the longest of the waits when several limits are
    /// reached. The limit per address does not hold for loopback.
    ///
    /// - Parameter account: the folded e-mail address, see ``EmailAddress/key(for:)``.
    public mutating func reserve(
        account: String,
        address: ThrottleAddress,
        at now: ContinuousClock.Instant
    ) -> Answer {
        let pair = Pair(account: account, address: address)
        let waits = [
            pairs.wait(of: pair, at: now),
            accounts.wait(of: account, at: now),
            address.isLoopback ? nil : addresses.wait(of: address, at: now),
        ]
        if let longest = waits.compactMap({ $0 }).max() { return .refused(retryAfter: longest) }
        pairs.count(pair, at: now)
        accounts.count(account, at: now)
        if !address.isLoopback { addresses.count(address, at: now) }
        return .reserved(Reservation(account: account, address: address, time: now))
    }

    /// Gives a place back, because the sign-in succeeded or no password was checked at all.
    public mutating func giveBack(_ reservation: Reservation) {
        let pair = Pair(account: reservation.account, address: reservation.address)
        pairs.takeBack(pair, countedAt: reservation.time)
        accounts.takeBack(reservation.account, countedAt: reservation.time)
        addresses.takeBack(reservation.address, countedAt: reservation.time)
    }
}
