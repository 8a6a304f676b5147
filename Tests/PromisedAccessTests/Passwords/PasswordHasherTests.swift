import Foundation
import PromisedConcurrency
import PromisedTestMarks
import Testing

@testable import PromisedAccess
@testable import PromisedSettings

@Suite(.timeLimit(.minutes(2))) struct PasswordHasherTests {
    private let hasher = PasswordHasher(cost: .cheap)

    @Test func `a password matches only its own hash`() async throws {
        let stored = try await hasher.hash("correct horse")
        #expect(stored.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
        #expect(try await hasher.verify("correct horse", against: stored) == .right)
        #expect(try await hasher.verify("correct horse ", against: stored) == .wrong)
        #expect(try await hasher.verify("", against: stored) == .wrong)
    }

    @Test func `each hash of a password differs`() async throws {
        #expect(try await hasher.hash("correct horse") != hasher.hash("correct horse"))
    }

    @Test func `treats composed and decomposed letters as equal`() async throws {
        let stored = try await hasher.hash("caf\u{E9} caf\u{E9}")
        #expect(try await hasher.verify("cafe\u{301} cafe\u{301}", against: stored) == .right)
    }

    /// RFC 7914 §12: the key of "pleaseletmein" under "SodiumChloride" with N = 16384, r = 8, p = 1 (its first half).
    @Test(.proves("2.3")) func `the function is scrypt`() async throws {
        let key: [UInt8] = [
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
            0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
        ]
        let cost = ScryptCost(log2N: 14, blockSize: 8, parallelism: 1)
        let hash = PasswordHash(cost: cost, salt: Array("SodiumChloride".utf8), key: key)
        #expect(try await hasher.verify("pleaseletmein", against: hash.text) == .rightButOutdated)
    }

    @Test(.proves("2.3")) func `renews a hash of another cost`() async throws {
        let dearer = PasswordHasher(cost: ScryptCost(log2N: 5, blockSize: 1, parallelism: 1))
        let stored = try await hasher.hash("correct horse")
        #expect(try await dearer.verify("correct horse", against: stored) == .rightButOutdated)
        #expect(try await dearer.verify("wrong horse", against: stored) == .wrong)
    }

    @Test func `a stored text of another kind is an error`() async {
        await #expect(throws: PasswordHasherError.malformedHash) {
            try await hasher.verify("correct horse", against: "$2b$12$abcdef")
        }
    }

    @Test func `hashing has a lower priority than requests`() async throws {
        let own = Self.priority()
        let priorities = Guarded<[Int32]>([])
        let hasher = PasswordHasher(cost: .cheap, queue: PasswordQueue(), generator: SystemRandomNumberGenerator()) {
            _,
            _,
            _,
            length in
            priorities.withLock { $0.append(Self.priority()) }
            return [UInt8](repeating: 0, count: length)
        }
        _ = try await hasher.hash("correct horse")
        #expect(priorities.withLock { $0 } == [min(own + PasswordHasher.niceness, 19)])
        #expect(Self.priority() == own)
    }

    /// The niceness of the calling thread (`nice(2)`).
    private static func priority() -> Int32 { getpriority(Int32(PRIO_PROCESS.rawValue), 0) }

    @Test(.proves("2.3"), .defends("stolen-database")) func `OWASP's cost works`() async throws {
        let hasher = PasswordHasher(cost: .recommended)
        let stored = try await hasher.hash("correct horse")
        #expect(PasswordHash(stored)?.cost == .recommended)
    }

    @Test(.proves("2.4"))
    func `an unknown account costs one derivation at the current cost`() async throws {
        let calls = Guarded<[ScryptCost]>([])
        let hasher = PasswordHasher(
            cost: .recommended,
            queue: PasswordQueue(limit: 1),
            generator: SystemRandomNumberGenerator()
        ) {
            _,
            salt,
            cost,
            length in
            calls.withLock { $0.append(cost) }
            return salt.count == PasswordHash.saltLength ? [UInt8](repeating: 0, count: length) : nil
        }
        try await hasher.verifyDummy("correct horse")
        #expect(calls.withLock { $0 } == [.recommended])
    }

    @Test func `lack of memory is an error`() async {
        let hasher = PasswordHasher(
            cost: .cheap,
            queue: PasswordQueue(limit: 1),
            generator: SystemRandomNumberGenerator()
        ) {
            _,
            _,
            _,
            _ in
            nil
        }
        await #expect(throws: PasswordHasherError.failed) { try await hasher.hash("correct horse") }
        // The turn was released.
        await #expect(throws: PasswordHasherError.failed) { try await hasher.hash("correct horse") }
        await #expect(throws: PasswordHasherError.failed) { try await hasher.hash("correct horse") }
    }
}
