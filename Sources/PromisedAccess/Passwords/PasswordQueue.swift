package import PromisedSettings

/// The caller a password is hashed for.
package struct PasswordCaller: Sendable, Hashable {
    /// An operator, or a user whose password was just checked.
    package static let trusted = PasswordCaller()

    /// Its address; nil if limits per address do not apply.
    package let address: ThrottleAddress?
    /// How many recent sign-ins of the address failed, in halves.
    package let failures: Int
    /// The account that knows it and what it is known by; nil if it is a stranger, or trusted.
    let knownAs: SignInPair?
    /// `true` if it waits before all strangers: a known or a trusted caller.
    let isBeforeStrangers: Bool

    /// A caller at an address, which counts unless it is this machine itself.
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

    /// Its rank in the queue; the smallest comes first.
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
/// Callers that the account knows come before strangers, and a stranger after three of them. Among either, callers with
/// the fewest failures come first, of these the newest: a connection is closed ten seconds after it opened without a
/// sign-in, so under more load than the hasher can do the oldest wait in vain. For the same reason a newcomer to a full
/// queue pushes out the oldest of those who would come last, unless it would come after them.
package struct PasswordQueue: Sendable {
    /// The outcome for a newcomer.
    package enum Entry: Sendable, Hashable {
        /// It waits; `pushedOut` no longer does.
        case waits(pushedOut: UInt64?)
        /// Too many of its address or network wait, or of the address or device that the account knows.
        case crowded
        /// The queue is full of callers that come before it.
        case full
    }

    private struct Waiter {
        let ticket: UInt64
        let caller: PasswordCaller
    }

    /// How many known callers come one after another while a stranger waits.
    private static let knownInARow = 3

    private let limit: Int
    private let perAddress: Int
    private let perNetwork: Int
    /// The oldest first.
    private var waiters: [Waiter] = []
    /// How many known callers came one after another while a stranger waited.
    private var known = 0

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - limit: how many may wait.
    ///   - perAddress: how many of them of one address (of IPv6: /64), and of what one account knows.
    ///   - perNetwork: how many of them of one /24 (of IPv6: /48), without known callers.
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
            guard let last = waiters.map(\.caller.rank).max(), caller.rank <= last,
                let oldest = waiters.firstIndex(where: { $0.caller.rank == last })
            else { return .full }
            pushedOut = waiters.remove(at: oldest).ticket
        }
        waiters.append(Waiter(ticket: ticket, caller: caller))
        return .waits(pushedOut: pushedOut)
    }

    /// Takes the next caller; nil if none waits.
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
