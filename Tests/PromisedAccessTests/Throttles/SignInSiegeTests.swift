import PromisedDomain
import PromisedSettings
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

/// Guessers from many networks, in simulated time: a hash takes 300 ms, two run at once.
@Suite struct SignInSiegeTests {
    private struct Siege {
        /// Networks (/24) of the guessers, and their total attempts in a second.
        static let networks = 270
        static let perSecond = 800
        static let account = "owner@example.org"

        private var throttle = SignInThrottle(ServerSettings().throttle)
        private var queue = PasswordQueue()
        private var waiting: [UInt64: SignInThrottle.Reservation] = [:]
        /// The hashes that run, with the time of their ends in milliseconds.
        private var running: [(end: Int, ticket: UInt64)] = []
        private var ticket: UInt64 = 0
        private var milliseconds = 0
        private var generator: SeededGenerator
        private let start = ContinuousClock.now
        private var now: ContinuousClock.Instant { start + .milliseconds(milliseconds) }
        private var owner: UInt64?

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            // The account has used its hundred failures when the owner arrives.
            for host in 1...100 {
                let address = ThrottleAddress("198.2.0.\(host)")
                _ = throttle.reserve(account: Self.account, address: address, at: now)
            }
        }

        /// The siege continues for a time without the owner.
        mutating func wait(milliseconds: Int) {
            for _ in 0..<milliseconds { step() }
        }

        /// The owner tries the right password. Returns the milliseconds until its acceptance; nil if it was rejected,
        /// evicted, or took longer than 2 s.
        mutating func signIn(from address: String, known: [CallerDigest]) -> Int? {
            let address = ThrottleAddress(address)
            guard
                case .reserved(let place) = throttle.reserve(
                    account: Self.account,
                    address: address,
                    known: known,
                    at: now
                )
            else { return nil }
            guard let ticket = enter(place) else { return nil }
            owner = ticket
            let begun = milliseconds
            while owner != nil, milliseconds - begun < 2_000 {
                step()
                if !running.contains(where: { $0.ticket == ticket }), waiting[ticket] == nil, owner != nil {
                    return nil
                }
            }
            guard owner == nil else { return nil }
            return milliseconds - begun
        }

        /// A millisecond passes.
        private mutating func step() {
            milliseconds += 1
            for hash in running where hash.end <= milliseconds {
                running.removeAll { $0.ticket == hash.ticket }
                finish(hash.ticket)
                if let next = queue.next() { running.append((milliseconds + 300, next)) }
            }
            for _ in 0..<(Self.perSecond * milliseconds / 1_000 - Self.perSecond * (milliseconds - 1) / 1_000) {
                guess()
            }
        }

        /// One of the guessers tries the owner's account, or another one, so that the queue stays full.
        private mutating func guess() {
            let network = Int.random(in: 0..<Self.networks, using: &generator)
            let host = Int.random(in: 1...254, using: &generator)
            let account =
                Bool.random(using: &generator) ? Self.account : "\(Int.random(in: 0..<1_000, using: &generator))"
            let address = ThrottleAddress("198.\(network / 250).\(network % 250).\(host)")
            if case .reserved(let place) = throttle.reserve(account: account, address: address, at: now) {
                _ = enter(place)
            }
        }

        private mutating func enter(_ place: SignInThrottle.Reservation) -> UInt64? {
            ticket += 1
            waiting[ticket] = place
            if running.count < PasswordHasher.width {
                running.append((milliseconds + 300, ticket))
                return ticket
            }
            guard case .waits(let pushedOut) = queue.enter(ticket, place.caller) else {
                throttle.halve(place, at: now)
                waiting[ticket] = nil
                return nil
            }
            if let pushedOut, let loser = waiting.removeValue(forKey: pushedOut) { throttle.halve(loser, at: now) }
            return ticket
        }

        private mutating func finish(_ ticket: UInt64) {
            guard let place = waiting.removeValue(forKey: ticket) else { return }
            if ticket == owner {
                throttle.giveBack(place)
                owner = nil
            } else {
                throttle.fail(place, at: now)
            }
        }
    }

    private static let callers: KnownCallers = {
        var generator = SeededGenerator(seed: 7)
        return KnownCallers(SigningKey(using: &generator))
    }()

    private static func known(_ kind: CallerDigest.Kind) -> [CallerDigest] {
        let origin = SignInOrigin(ThrottleAddress("203.0.113.5"), deviceSecret: "a secret of this device alone")
        return callers.digests(of: origin, for: Siege.account).filter { $0.kind == kind }
    }

    /// The address and device of the owner, and `true` where the account knows them.
    struct Owner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let address: String
        let known: CallerDigest.Kind
    }

    @Test(
        .proves("2.19"),
        .defends("lockout"),
        arguments: [
            Owner(testDescription: "at home", address: "203.0.113.5", known: .address),
            Owner(testDescription: "at home, in a network of guessers", address: "198.0.7.5", known: .address),
            Owner(testDescription: "with their phone, elsewhere", address: "192.0.2.77", known: .device),
            Owner(testDescription: "with their phone, at a guesser's address", address: "198.0.9.9", known: .device),
        ]
    )
    func `signs a known owner in within two seconds under guessers of 270 networks`(owner: Owner) {
        var siege = Siege(seed: 1)
        siege.wait(milliseconds: 5_000)
        let times = (1...48).map { index in
            siege.wait(milliseconds: 50 + 5 * index)
            return siege.signIn(from: owner.address, known: Self.known(owner.known))
        }
        #expect(times.count { $0 != nil } == 48, "\(times)")
    }

    @Test func `rejects guessers and strangers after a hundred failures`() {
        var siege = Siege(seed: 2)
        siege.wait(milliseconds: 5_000)
        #expect(siege.signIn(from: "192.0.2.77", known: []) == nil)
    }
}
