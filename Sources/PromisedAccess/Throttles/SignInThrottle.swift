package import PromisedDomain
package import PromisedSettings

/// The limits on failed sign-ins (domain §2): per account and address, per account, per address and the networks around it.
///
/// A sign-in reserves its place before the password is checked, since the check is slow and a thousand guesses could
/// begin before the first has failed; a successful one releases it. If the password was not checked because too many
/// callers waited, the sign-in counts half, and only for its address: so a busy server locks users out late, but locks
/// out clients that keep it busy. It counts neither for the account nor for the networks around the address; otherwise
/// guessers could lock a user out without a single check of a password. An account is identified by the folded e-mail
/// address, whether or not it exists, so that the limits do not reveal its existence.
///
/// A caller that the account knows is not affected by the failures of others: one known by its address has that
/// address's limits, one known by its device has ten failures of its own. Its failures count like those of others.
package struct SignInThrottle: Sendable {
    /// The place of one sign-in in progress.
    package struct Reservation: Sendable, Hashable {
        fileprivate let pair: SignInPair
        fileprivate let time: ContinuousClock.Instant
        package let address: ThrottleAddress
        /// The counted failures of the address at the time of the reservation, in halves.
        package let failures: Int
        fileprivate let isKnown: Bool

        /// The caller for the password queue.
        package var caller: PasswordCaller {
            PasswordCaller(address: address, failures: failures, knownAs: isKnown ? pair : nil)
        }
    }

    /// The answer to a sign-in before its password is checked.
    package enum Answer: Sendable, Hashable {
        /// It may proceed.
        case reserved(Reservation)
        /// Too many failures; `limit.attempts` with the time until a place is free.
        case refused(retryAfter: Duration)
    }

    /// Places are counted in halves.
    private static let whole = 2

    private var pairs: AttemptThrottle<SignInPair>
    private var accounts: AttemptThrottle<String>
    private var addresses: AddressThrottle
    /// The failures, in halves, without sign-ins in progress.
    private var failures: AttemptThrottle<ThrottleAddress>

    /// A throttle with the limits of a configuration.
    package init(_ limits: ServerSettings.Throttle) {
        let window = limits.signInWindow.duration
        func throttle<Key>(_ limit: Int) -> AttemptThrottle<Key> {
            AttemptThrottle(limit: limit * Self.whole, window: window, memory: limits.memory)
        }
        pairs = throttle(limits.signInsPerAccountAndAddress)
        accounts = throttle(limits.signInsPerAccount)
        addresses = AddressThrottle(limit: limits.signInsPerAddress * Self.whole, window: window, limits)
        failures = throttle(limits.signInsPerAddress)
    }

    /// The time that an address must wait for any account; nil if it has an attempt left. Does not count an attempt.
    package func wait(of address: ThrottleAddress, at now: ContinuousClock.Instant) -> Duration? {
        addresses.wait(of: address, at: now)
    }

    /// Reserves a place for a sign-in, or returns the time to wait; the longest of the waits if several limits are
    /// reached. Loopback is exempt from the limits per address.
    ///
    /// - Parameters:
    ///   - account: the folded e-mail address, see ``EmailAddress/key(for:)``.
    ///   - address: the address of the sign-in.
    ///   - known: the digests of the caller that the account knows; empty for a stranger.
    ///   - now: the instant of the sign-in.
    package mutating func reserve(
        account: String,
        address: ThrottleAddress,
        known: [CallerDigest] = [],
        at now: ContinuousClock.Instant
    ) -> Answer {
        let device = known.first { $0.kind == .device }
        let pair = SignInPair(account: account, origin: device.map { .device($0) } ?? .address(address))
        let waits = [
            pairs.wait(of: pair, at: now),
            known.isEmpty ? accounts.wait(of: account, at: now) : nil,
            device == nil ? addresses.wait(of: address, at: now) : nil,
        ]
        if let longest = waits.compactMap({ $0 }).max() { return .refused(retryAfter: longest) }
        for _ in 0..<Self.whole {
            pairs.count(pair, at: now)
            accounts.count(account, at: now)
            addresses.count(address, at: now)
        }
        let failures = failures(of: address, at: now)
        let isKnown = !known.isEmpty
        return .reserved(Reservation(pair: pair, time: now, address: address, failures: failures, isKnown: isKnown))
    }

    /// Releases a place, because the sign-in succeeded or failed for another reason than its password.
    package mutating func giveBack(_ reservation: Reservation) {
        for _ in 0..<Self.whole { giveHalfBack(reservation) }
    }

    /// The password was wrong: the place counts as a failure.
    package mutating func fail(_ reservation: Reservation, at now: ContinuousClock.Instant) {
        for _ in 0..<Self.whole { note(reservation, at: now) }
    }

    /// Too many callers waited: the place counts half for the address, alone and with the account, but not for others.
    package mutating func halve(_ reservation: Reservation, at now: ContinuousClock.Instant) {
        giveHalfBack(reservation)
        accounts.takeBack(reservation.pair.account, countedAt: reservation.time)
        addresses.takeBackFromNetworks(around: reservation.address, countedAt: reservation.time)
        note(reservation, at: now)
    }

    /// The counted failures of an address, in halves; 0 for loopback.
    package func failures(of address: ThrottleAddress, at now: ContinuousClock.Instant) -> Int {
        failures.counted(address, at: now)
    }

    private mutating func giveHalfBack(_ reservation: Reservation) {
        pairs.takeBack(reservation.pair, countedAt: reservation.time)
        accounts.takeBack(reservation.pair.account, countedAt: reservation.time)
        addresses.takeBack(reservation.address, countedAt: reservation.time)
    }

    private mutating func note(_ reservation: Reservation, at now: ContinuousClock.Instant) {
        if !reservation.address.isLoopback { failures.count(reservation.address, at: now) }
    }
}
