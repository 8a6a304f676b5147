package import PromisedSettings

/// The caller a password is hashed for.
package struct PasswordCaller: Sendable, Hashable {
    /// An operator, or a user whose password was just checked.
    package static let trusted = PasswordCaller()

    /// Its address; nil if limits per address do not apply.
    package let address: ThrottleAddress?
    /// How many recent sign-ins of the address failed, in halves.
    package let failures: Int

    /// A caller at an address, which counts unless it is this machine itself.
    package init(address: ThrottleAddress, failures: Int) {
        self.address = address.isLoopback ? nil : address
        self.failures = failures
    }

    private init() {
        address = nil
        failures = 0
    }
}

/// The order in which callers wait for a password to be hashed, bounded in all, per address and per network (decision 0031).
///
/// Callers with the fewest failures come first, of these the newest: a connection is closed ten seconds after it opened
/// without a sign-in, so under more load than the hasher can do the oldest wait in vain. For the same reason a newcomer
/// to a full queue pushes out the oldest of those with the most failures, unless it has more itself.
package struct PasswordQueue: Sendable {
    /// The outcome for a newcomer.
    package enum Entry: Sendable, Hashable {
        /// It waits; `pushedOut` no longer does.
        case waits(pushedOut: UInt64?)
        /// Too many of its address or network wait.
        case crowded
        /// The queue is full of callers with fewer failures.
        case full
    }

    private struct Waiter {
        let ticket: UInt64
        let caller: PasswordCaller
    }

    private let limit: Int
    private let perAddress: Int
    private let perNetwork: Int
    /// The oldest first.
    private var waiters: [Waiter] = []

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - limit: how many may wait.
    ///   - perAddress: how many of them of one address (of IPv6: /64).
    ///   - perNetwork: how many of them of one /24 (of IPv6: /48).
    package init(limit: Int = 64, perAddress: Int = 2, perNetwork: Int = 8) {
        self.limit = limit
        self.perAddress = perAddress
        self.perNetwork = perNetwork
    }

    /// An empty queue with the limits of a configuration.
    package init(_ limits: ServerSettings.Passwords) {
        self.init(limit: limits.queue, perAddress: limits.queuePerAddress, perNetwork: limits.queuePerNetwork)
    }

    /// How many wait.
    package var count: Int { waiters.count }

    /// Adds a caller, under a ticket of its own.
    package mutating func enter(_ ticket: UInt64, _ caller: PasswordCaller) -> Entry {
        guard !isCrowded(for: caller) else { return .crowded }
        var pushedOut: UInt64?
        if waiters.count >= limit {
            guard let most = waiters.map(\.caller.failures).max(), caller.failures <= most,
                let oldest = waiters.firstIndex(where: { $0.caller.failures == most })
            else { return .full }
            pushedOut = waiters.remove(at: oldest).ticket
        }
        waiters.append(Waiter(ticket: ticket, caller: caller))
        return .waits(pushedOut: pushedOut)
    }

    /// Takes the next caller; nil if none waits.
    package mutating func next() -> UInt64? {
        guard let fewest = waiters.map(\.caller.failures).min(),
            let newest = waiters.lastIndex(where: { $0.caller.failures == fewest })
        else { return nil }
        return waiters.remove(at: newest).ticket
    }

    private func isCrowded(for caller: PasswordCaller) -> Bool {
        guard let address = caller.address else { return false }
        let addresses = waiters.compactMap(\.caller.address)
        return addresses.count { $0 == address } >= perAddress
            || addresses.count { $0.network == address.network } >= perNetwork
    }
}
