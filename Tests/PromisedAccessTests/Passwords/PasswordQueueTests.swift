import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

@Suite struct PasswordQueueTests {
    /// A new caller: its address, and its failures in halves.
    private static func caller(_ address: String, failures: Int = 0) -> PasswordCaller {
        PasswordCaller(address: ThrottleAddress(address), failures: failures)
    }

    @Test(.proves("2.18")) func `serves those with fewer failures first, then the newest`() {
        var queue = PasswordQueue()
        for (ticket, failures) in [2, 0, 1, 0, 4, 1].enumerated() {
            let entry = queue.enter(UInt64(ticket), Self.caller("192.0.\(ticket).1", failures: failures))
            #expect(entry == .waits(pushedOut: nil))
        }
        #expect((0..<7).map { _ in queue.next() } == [3, 1, 5, 2, 0, 4, nil])
    }

    @Test(.proves("2.18"))
    func `a full queue drops the oldest with the most failures, unless the new one has more`() {
        var queue = PasswordQueue(limit: 3)
        for (ticket, failures) in [0, 2, 2].enumerated() {
            _ = queue.enter(UInt64(ticket), Self.caller("192.0.\(ticket).1", failures: failures))
        }
        #expect(queue.enter(10, Self.caller("192.0.10.1", failures: 3)) == .full)
        #expect(queue.enter(11, Self.caller("192.0.11.1", failures: 2)) == .waits(pushedOut: 1))
        #expect(queue.enter(12, Self.caller("192.0.12.1")) == .waits(pushedOut: 2))
        #expect(queue.enter(13, Self.caller("192.0.13.1")) == .waits(pushedOut: 11))
        #expect(queue.enter(14, Self.caller("192.0.14.1", failures: 1)) == .full)
        #expect(queue.enter(15, Self.caller("192.0.15.1")) == .waits(pushedOut: 0))
        #expect(queue.count == 3)
    }

    @Test func `a queue without capacity rejects all`() {
        var queue = PasswordQueue(limit: 0)
        #expect(queue.enter(1, Self.caller("192.0.2.1")) == .full)
        #expect(queue.next() == nil)
    }

    @Test(
        .proves("2.18"),
        arguments: [
            // Two per address: the first two wait, a third does not; an IPv6 /64 counts as one address.
            (["192.0.2.1", "192.0.2.1"], "192.0.2.1", false), (["192.0.2.1", "192.0.2.1"], "192.0.2.2", true),
            (["192.0.2.1"], "192.0.2.1", true), (["2001:db8::1", "2001:db8::2"], "2001:db8::3", false),
            (["2001:db8::1", "2001:db8::2"], "2001:db8:0:1::3", true),
            // Eight per /24, and per IPv6 /48.
            ((1...7).map { "192.0.2.\($0)" }, "192.0.2.8", true), ((1...8).map { "192.0.2.\($0)" }, "192.0.2.9", false),
            ((1...8).map { "192.0.2.\($0)" }, "192.0.3.9", true),
            ((1...7).map { "2001:db8:0:\($0)::1" }, "2001:db8:0:8::1", true),
            ((1...8).map { "2001:db8:0:\($0)::1" }, "2001:db8:0:9::1", false),
            ((1...8).map { "2001:db8:0:\($0)::1" }, "2001:db8:1:9::1", true),
            // Loopback has no limit.
            ([String](repeating: "127.0.0.1", count: 20), "127.0.0.1", true),
        ]
    )
    func `limits the waiting ones of an address and of a network`(waiting: [String], newcomer: String, waits: Bool) {
        var queue = PasswordQueue()
        for (ticket, address) in waiting.enumerated() {
            #expect(queue.enter(UInt64(ticket), Self.caller(address)) == .waits(pushedOut: nil))
        }
        #expect(queue.enter(100, Self.caller(newcomer)) == (waits ? .waits(pushedOut: nil) : .crowded))
        // There is room again after one is removed.
        _ = queue.next()
        if !waits { #expect(queue.enter(101, Self.caller(newcomer)) == .waits(pushedOut: nil)) }
    }

    @Test func `exempts trusted callers from these limits`() {
        var queue = PasswordQueue(perAddress: 1, perNetwork: 1)
        for ticket in 0..<10 as Range<UInt64> { #expect(queue.enter(ticket, .trusted) == .waits(pushedOut: nil)) }
    }

    // MARK: - Known callers

    /// A caller that an account knows by its address.
    private static func known(_ account: String, _ address: String, failures: Int = 0) -> PasswordCaller {
        let address = ThrottleAddress(address)
        let pair = SignInPair(account: account, origin: .address(address))
        return PasswordCaller(address: address, failures: failures, knownAs: pair)
    }

    @Test(.proves("2.19")) func `serves a known caller before strangers, whatever its address's failures`() {
        var queue = PasswordQueue()
        _ = queue.enter(1, Self.known("a", "192.0.1.1", failures: 40))
        _ = queue.enter(2, Self.caller("192.0.2.1"))
        _ = queue.enter(3, Self.known("b", "192.0.3.1"))
        #expect((0..<4).map { _ in queue.next() } == [3, 1, 2, nil])
    }

    @Test(.proves("2.19")) func `serves a stranger after three known callers`() {
        var queue = PasswordQueue()
        for ticket in 1...2 as ClosedRange<UInt64> { _ = queue.enter(ticket, Self.caller("192.0.\(ticket).1")) }
        for ticket in 11...18 as ClosedRange<UInt64> {
            _ = queue.enter(ticket, Self.known("\(ticket)", "192.0.\(ticket).1"))
        }
        #expect((0..<11).map { _ in queue.next() } == [18, 17, 16, 2, 15, 14, 13, 1, 12, 11, nil])
        // Callers without a waiting stranger do not count.
        for ticket in 21...25 as ClosedRange<UInt64> {
            _ = queue.enter(ticket, Self.known("\(ticket)", "192.0.\(ticket).1"))
        }
        #expect((0..<4).map { _ in queue.next() } == [25, 24, 23, 22])
        _ = queue.enter(30, Self.caller("192.0.30.1"))
        #expect(queue.next() == 21)
    }

    @Test(.proves("2.19")) func `a full queue drops a stranger for a known caller, never the reverse`() {
        var queue = PasswordQueue(limit: 2)
        _ = queue.enter(1, Self.caller("192.0.1.1"))
        _ = queue.enter(2, Self.known("a", "192.0.2.1", failures: 9))
        #expect(queue.enter(3, Self.known("b", "192.0.3.1", failures: 9)) == .waits(pushedOut: 1))
        #expect(queue.enter(4, Self.caller("192.0.4.1")) == .full)
        #expect(queue.enter(5, Self.known("c", "192.0.5.1", failures: 10)) == .full)
        #expect(queue.enter(6, Self.known("c", "192.0.5.1")) == .waits(pushedOut: 2))
    }

    @Test(.proves("2.19"))
    func `admits two known callers for each account and address, whatever their network's load`() {
        var queue = PasswordQueue()
        for host in 1...8 { _ = queue.enter(UInt64(host), Self.caller("192.0.2.\(host)")) }
        #expect(queue.enter(10, Self.caller("192.0.2.1")) == .crowded)
        #expect(queue.enter(11, Self.known("a", "192.0.2.1")) == .waits(pushedOut: nil))
        #expect(queue.enter(12, Self.known("a", "192.0.2.1")) == .waits(pushedOut: nil))
        #expect(queue.enter(13, Self.known("a", "192.0.2.1")) == .crowded)
        #expect(queue.enter(14, Self.known("b", "192.0.2.1")) == .waits(pushedOut: nil))
        #expect(queue.enter(15, Self.known("a", "192.0.2.2")) == .waits(pushedOut: nil))
    }

    // MARK: - Under guessers

    /// Guessers with one queued password each, who send the next after each answer; two hashes run at once. The world
    /// moves by one hash a step.
    private struct Siege {
        private var queue = PasswordQueue()
        private var throttle = SignInThrottle(ServerSettings().throttle)
        /// The waiting passwords by ticket: the place among the failures, and the number of the guesser.
        private var waiting: [UInt64: (place: SignInThrottle.Reservation, guesser: Int?)] = [:]
        /// Guessers who received their last answer.
        private var idle: Set<Int>
        private var ticket: UInt64 = 0
        private var generator: SeededGenerator
        private let now = ContinuousClock.now

        init(guessers: Int, seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            idle = Set(0..<guessers)
            guess()
        }

        /// All idle guessers send, and again at once if there is no room.
        private mutating func guess() {
            for _ in 1...3 {
                for number in idle.sorted().shuffled(using: &generator) {
                    idle.remove(number)
                    let address = ThrottleAddress("198.18.\(number).1")
                    // A guesser that the throttle refuses for a quarter of an hour gives up.
                    guard case .reserved(let place) = throttle.reserve(account: "\(number)", address: address, at: now)
                    else { continue }
                    if !enter(place, of: number) { idle.insert(number) }
                }
            }
        }

        private mutating func enter(_ place: SignInThrottle.Reservation, of guesser: Int?) -> Bool {
            ticket += 1
            let caller = PasswordCaller(address: place.address, failures: place.failures)
            guard case .waits(let pushedOut) = queue.enter(ticket, caller) else {
                throttle.halve(place, at: now)
                return false
            }
            waiting[ticket] = (place, guesser)
            if let pushedOut, let loser = waiting.removeValue(forKey: pushedOut) {
                throttle.halve(loser.place, at: now)
                if let guesser = loser.guesser { idle.insert(guesser) }
            }
            return true
        }

        /// Ends a hash and checks the next password.
        ///
        /// - Returns: `true` if it was an honest one.
        mutating func step() -> Bool {
            guard let next = queue.next(), let (place, guesser) = waiting.removeValue(forKey: next) else {
                return false
            }
            guard let guesser else {
                throttle.giveBack(place)
                return true
            }
            throttle.fail(place, at: now)
            idle.insert(guesser)
            guess()
            return false
        }

        /// An honest user tries the right password from another address.
        ///
        /// - Parameter patience: the hashes that they wait for.
        /// - Returns: the number of hashes until the check; nil without one.
        mutating func honestTry(patience: Int) -> Int? {
            let address = ThrottleAddress("203.0.113.5")
            guard case .reserved(let place) = throttle.reserve(account: "honest", address: address, at: now),
                enter(place, of: nil)
            else { return nil }
            let mine = ticket
            for hashes in 1...patience where waiting[mine] != nil {
                if step() { return hashes }
            }
            return nil
        }
    }

    /// The state of the siege, in hashes, when an honest user arrives.
    @Test(.proves("2.18"), arguments: [0, 1, 30, 90, 300])
    func `checks the right password within three attempts under ninety guessers`(hashes: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var siege = Siege(guessers: 90, seed: seed)
            for _ in 0..<hashes { _ = siege.step() }
            // A slow machine computes seven hashes a second; the user waits for three seconds.
            let tries = (1...3).map { _ in siege.honestTry(patience: 21) }
            #expect(tries.contains { $0 != nil }, "seed \(seed)")
        }
    }
}
