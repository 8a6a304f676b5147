package import PromisedSettings

/// The caller a password is hashed for.
package struct PasswordCaller: Sendable, Hashable {
    /// An operator, or a user whose password was just checked.
    package static let trusted = PasswordCaller()

    /// Its address; nil if limits per address do not apply.
    package let address: ThrottleAddress?
    /// The number of failed recent sign-ins of the address, in halves.
    package let failures: Int
    /// The account that knows the caller, and the address or device it is known by; nil for a stranger or a trusted
    /// caller.
    let knownAs: SignInPair?
    /// `true` if it precedes all strangers: a known or a trusted caller.
    let isBeforeStrangers: Bool

    /// A caller at an address; limits apply unless it is this machine itself.
    package init(address: ThrottleAddress, failures: Int) {
        self.init(address: address, failures: failures, knownAs: nil)
    }

    init(address: ThrottleAddress, failures: Int, knownAs: SignInPair?) {
        self.address = address.isLoopback ? nil : address
        self.failures = failures
        self.knownAs = knownAs
        isBeforeStrangers = knownAs != nil
    }

    private init() {
        address = nil
        failures = 0
        knownAs = nil
        isBeforeStrangers = true
    }

    /// Its rank in the queue; the smallest is first.
    fileprivate var rank: Rank { Rank(isStranger: !isBeforeStrangers, failures: failures) }

    fileprivate struct Rank: Comparable {
        let isStranger: Bool
        let failures: Int

        static func < (one: Rank, other: Rank) -> Bool {
            one.isStranger == other.isStranger ? one.failures < other.failures : other.isStranger
        }
    }
}

/// The order in which callers wait for a password to be hashed, bounded in all, per address and per network (decisions
/// 0031 and 0060).
///
/// Callers that the account knows precede strangers, but after three of them it is a stranger's turn. Within each
/// group, callers with the fewest failures come first, of these the newest: a connection is closed ten seconds after it
/// opened without a sign-in, so under overload the oldest wait in vain. For the same reason a new caller of a full
/// queue replaces the oldest of the lowest rank, unless its own rank is even lower.
package struct PasswordQueue: Sendable {
    /// The outcome for a new caller.
    package enum Entry: Sendable, Hashable {
        /// It waits; `pushedOut` lost its place.
        case waits(pushedOut: UInt64?)
        /// Too many of its address or network wait, or of the address or device that the account knows.
        case crowded
        /// The queue is full of callers with a better rank.
        case full
    }

    private struct Waiter {
        let ticket: UInt64
        let caller: PasswordCaller
    }

    /// The maximum number of consecutive known callers while a stranger waits.
    private static let knownInARow = 3

    private let limit: Int
    private let perAddress: Int
    private let perNetwork: Int
    /// The waiting callers, oldest first.
    private var waiters: [Waiter] = []
    /// The number of consecutive known callers while a stranger waited.
    private var known = 0

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of waiting callers.
    ///   - perAddress: the maximum from one address (of IPv6: /64), and per address or device known to an account.
    ///   - perNetwork: the maximum from one /24 (of IPv6: /48), without known callers.
    package init(limit: Int = 64, perAddress: Int = 2, perNetwork: Int = 8) {
        self.limit = limit
        self.perAddress = perAddress
        self.perNetwork = perNetwork
    }

    /// An empty queue with the limits of a configuration.
    package init(_ limits: ServerSettings.Passwords) {
        self.init(limit: limits.queue, perAddress: limits.queuePerAddress, perNetwork: limits.queuePerNetwork)
    }

    /// The number of waiting callers.
    package var count: Int { waiters.count }

    /// Adds a caller under a unique ticket.
    package mutating func enter(_ ticket: UInt64, _ caller: PasswordCaller) -> Entry {
        guard !isCrowded(for: caller) else { return .crowded }
        var pushedOut: UInt64?
        if waiters.count >= limit {
            guard let last = waiters.map(\.caller.rank).max(), caller.rank <= last,
                let oldest = waiters.firstIndex(where: { $0.caller.rank == last })
            else { return .full }
            pushedOut = waiters.remove(at: oldest).ticket
        }
        waiters.append(Waiter(ticket: ticket, caller: caller))
        return .waits(pushedOut: pushedOut)
    }

    /// Removes and returns the next caller; nil if the queue is empty.
    package mutating func next() -> UInt64? {
        let strangers = waiters.filter { !$0.caller.isBeforeStrangers }
        let candidates = known < Self.knownInARow || strangers.isEmpty ? waiters : strangers
        guard let first = candidates.map(\.caller.rank).min(),
            let newest = waiters.lastIndex(where: { $0.caller.rank == first })
        else { return nil }
        known = first.isStranger || strangers.isEmpty ? 0 : known + 1
        return waiters.remove(at: newest).ticket
    }

    private func isCrowded(for caller: PasswordCaller) -> Bool {
        if let pair = caller.knownAs { return waiters.count { $0.caller.knownAs == pair } >= perAddress }
        guard let address = caller.address else { return false }
        let addresses = waiters.filter { $0.caller.knownAs == nil }.compactMap(\.caller.address)
        return addresses.count { $0 == address } >= perAddress
            || addresses.count { $0.network == address.network } >= perNetwork
    }
}
