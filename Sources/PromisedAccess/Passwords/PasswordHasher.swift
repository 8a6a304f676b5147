import Crypto
import CryptoExtras
import Foundation
package import PromisedSettings

/// Hashes and checks passwords with scrypt, at most two at a time.
///
/// One hash takes a quarter of a second of pure computing, so each runs on a thread of its own and never on the
/// cooperative pool, where it would block every connection. Two run at once; a bounded number waits in the order of
/// ``PasswordQueue``; more are refused with ``PasswordHasherError/overloaded``. A caller that is cancelled while it
/// waits gives up its turn and throws ``PasswordHasherError/cancelled``; a running hash is not interrupted.
///
/// Passwords are compared in NFC, so that keyboards that compose characters differently agree (RFC 8265 §4.2).
package actor PasswordHasher {
    /// The number of concurrent hashes.
    package static let width = 2

    /// The reduction of a hash's priority against the threads that serve other clients, as for `nice(2)`: 10 means a
    /// tenth of a busy processor.
    package static let niceness: Int32 = 10

    private let cost: ScryptCost
    private var generator: any RandomNumberGenerator & Sendable
    private var running = 0
    private var queue: PasswordQueue
    /// The callers in the queue, by ticket; resumed with `true` when it is their turn, `false` if they lost their
    /// place.
    private var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    private var nextTicket: UInt64 = 0
    private let derive: @Sendable (String, [UInt8], ScryptCost, Int) -> [UInt8]?

    /// A hasher.
    ///
    /// - Parameters:
    ///   - cost: the cost of new hashes; must be acceptable.
    ///   - queue: the queue of callers; empty.
    ///   - generator: creates salts; must be cryptographically secure outside tests.
    package init(
        cost: ScryptCost,
        queue: PasswordQueue = PasswordQueue(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.init(cost: cost, queue: queue, generator: generator, derive: Self.scrypt)
    }

    /// A hasher with another hash function, so that tests can pause it.
    package init(
        cost: ScryptCost,
        queue: PasswordQueue,
        generator: any RandomNumberGenerator & Sendable,
        derive: @escaping @Sendable (String, [UInt8], ScryptCost, Int) -> [UInt8]?
    ) {
        precondition(cost.isAcceptable, "The cost is out of bounds")
        self.cost = cost
        self.queue = queue
        self.generator = generator
        self.derive = derive
    }

    /// Hashes a new password under a fresh salt. Returns the text to store, see ``PasswordHash``.
    package func hash(
        _ password: String,
        for caller: PasswordCaller = .trusted
    ) async throws(PasswordHasherError) -> String {
        let salt = makeSalt()
        let key = try await run(password, salt: salt, cost: cost, length: PasswordHash.keyLength, for: caller)
        return PasswordHash(cost: cost, salt: salt, key: key).text
    }

    /// Checks a password against a stored hash, at the cost of that hash. Throws ``PasswordHasherError/malformedHash``
    /// if the stored text is not a valid hash.
    package func verify(
        _ password: String,
        against stored: String,
        for caller: PasswordCaller = .trusted
    ) async throws(PasswordHasherError) -> PasswordVerdict {
        guard let hash = PasswordHash(stored) else { throw .malformedHash }
        let key = try await run(password, salt: hash.salt, cost: hash.cost, length: hash.key.count, for: caller)
        guard hash.matches(key) else { return .wrong }
        return hash.cost == cost ? .right : .rightButOutdated
    }

    /// Takes as long as checking a hash of the current cost, for an account that does not exist, so that the answer
    /// reveals no difference. Renewing hashes of another cost at sign-in keeps the times equal.
    package func verifyDummy(
        _ password: String,
        for caller: PasswordCaller = .trusted
    ) async throws(PasswordHasherError) {
        _ = try await run(password, salt: makeSalt(), cost: cost, length: PasswordHash.keyLength, for: caller)
    }

    /// Callers waiting for their turn; for tests and metrics.
    package var queueLength: Int { queue.count }

    // MARK: - Turns

    private func run(
        _ password: String,
        salt: [UInt8],
        cost: ScryptCost,
        length: Int,
        for caller: PasswordCaller
    ) async throws(PasswordHasherError) -> [UInt8] {
        try await takeTurn(caller)
        defer { passTurn() }
        guard !Task.isCancelled else { throw .cancelled }
        let derive = derive
        let key = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // On Linux this affects the calling thread alone.
                _ = nice(Self.niceness)
                continuation.resume(returning: derive(password, salt, cost, length))
            }
        }
        guard let key else { throw .failed }
        return key
    }

    private func takeTurn(_ caller: PasswordCaller) async throws(PasswordHasherError) {
        if running < Self.width {
            running += 1
            return
        }
        let ticket = nextTicket
        nextTicket += 1
        switch queue.enter(ticket, caller) {
        case .full: throw .overloaded
        case .crowded: throw .crowded
        case .waits(let pushedOut):
            if let pushedOut { waiting.removeValue(forKey: pushedOut)?.resume(returning: false) }
        }
        guard await withCheckedContinuation({ waiting[ticket] = $0 }) else { throw .overloaded }
    }

    /// Passes the turn to the next in the queue, so that a new caller cannot take it.
    private func passTurn() {
        guard let next = queue.next() else {
            running -= 1
            return
        }
        waiting.removeValue(forKey: next)?.resume(returning: true)
    }

    private func makeSalt() -> [UInt8] {
        (0..<PasswordHash.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static let scrypt: @Sendable (String, [UInt8], ScryptCost, Int) -> [UInt8]? = {
        password,
        salt,
        cost,
        length in
        let key = try? KDF.Scrypt.deriveKey(
            from: Data(password.precomposedStringWithCanonicalMapping.utf8),
            salt: salt,
            outputByteCount: length,
            rounds: 1 << cost.log2N,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        // With parameters in bounds, only a lack of memory can fail, which the caller reports as a failure.
        return key.map { $0.withUnsafeBytes { Array($0) } }
    }
}

/// Why a password was neither hashed nor checked.
package enum PasswordHasherError: Error, Sendable, Hashable {
    /// Too many callers wait; transient (`server.unavailable`).
    case overloaded
    /// Too many callers of the same address or network wait; transient (`limit.attempts`).
    case crowded
    /// The caller's task was cancelled before its turn came.
    case cancelled
    /// There was not enough memory (`server.unavailable`).
    case failed
    /// The stored text is not a valid hash: the database was tampered with (`server.internal`).
    case malformedHash
}

/// The result of checking a password.
package enum PasswordVerdict: Sendable, Hashable {
    case wrong, right
    /// The right password, but hashed at another cost than new ones: store a new hash of it.
    case rightButOutdated
}
