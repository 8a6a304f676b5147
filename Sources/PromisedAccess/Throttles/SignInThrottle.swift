package import PromisedDomain
package import PromisedSettings

/// The limits on failed sign-ins (domain §2): per account and address, per account, per address and the networks around it.
///
/// A sign-in reserves its place before the password is checked, since the check takes long and a thousand guesses could
/// begin before the first has failed; when it succeeds, the place is given back. If its password was not checked
/// because too many waited, it counts half, and only for the address that asked: a busy server does not lock users out
/// soon, but locks out clients that keep it busy. It counts neither for the account nor for the networks around the
/// address, or guessers could lock a user out without a single password being checked. An account is named by the folded
/// e-mail address, whether or not it exists, so that the limits reveal nothing.
///
/// A caller that the account knows does not wait because others failed: one known by its address has that address's
/// limits, one known by its device has ten failures of its own. Its failures count like those of others.
package struct SignInThrottle: Sendable {
    /// A place taken by one sign-in in progress.
    package struct Reservation: Sendable, Hashable {
        fileprivate let pair: SignInPair
        fileprivate let time: ContinuousClock.Instant
        /// The address of the sign-in.
        package let address: ThrottleAddress
        /// The address's failures that counted when it was taken, in halves.
        package let failures: Int
        fileprivate let isKnown: Bool

        /// The caller whose password waits.
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

    /// How long an address has to wait for any account; nil if it has an attempt left. Counts nothing.
    package func wait(of address: ThrottleAddress, at now: ContinuousClock.Instant) -> Duration? {
        addresses.wait(of: address, at: now)
    }

    /// Takes a place for a sign-in, or says how long it has to wait; the longest of the waits if several limits are
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

    /// Gives a place back, because the sign-in succeeded or failed for another reason than its password.
    package mutating func giveBack(_ reservation: Reservation) {
        for _ in 0..<Self.whole { giveHalfBack(reservation) }
    }

    /// The password was wrong: the place counts.
    package mutating func fail(_ reservation: Reservation, at now: ContinuousClock.Instant) {
        for _ in 0..<Self.whole { note(reservation, at: now) }
    }

    /// Too many passwords waited: the place counts half for the address, alone and with the account, and for nobody else.
    package mutating func halve(_ reservation: Reservation, at now: ContinuousClock.Instant) {
        giveHalfBack(reservation)
        accounts.takeBack(reservation.pair.account, countedAt: reservation.time)
        addresses.takeBackFromNetworks(around: reservation.address, countedAt: reservation.time)
        note(reservation, at: now)
    }

    /// The failures of an address that count, in halves; none for loopback.
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
