package import PromisedDomain

/// A secret that decides where the circles around hidden ends lie: see ``EndShift``.
///
/// A server has one secret and derives one per user. Secrets never leave the server: with one, the ends can be computed
/// from the visible part of a way.
package struct EndsSecret: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes.
    package let first: UInt64
    /// The last eight bytes.
    package let second: UInt64

    /// The secret of a server, from sixteen random bytes.
    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// The secret of a user, derived from this secret of the server. Unpredictable even to someone who knows those of
    /// other users.
    package func derived(for userID: UserID) -> EndsSecret {
        EndsSecret(first: number(userID.high, userID.low, 0), second: number(userID.high, userID.low, 1))
    }

    /// Does not contain the secret.
    package var description: String { "EndsSecret" }

    /// A number that follows from the secret and the words: SipHash-2-4 of the words in little-endian order.
    package func number(_ words: UInt64...) -> UInt64 {
        var state = SipState(first, second)
        for word in words { state.take(word) }
        return state.end(UInt64(words.count & 31) << 59)
    }
}

/// The state of SipHash-2-4 (Aumasson and Bernstein, 2012).
private struct SipState {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    init(_ first: UInt64, _ second: UInt64) {
        v0 = first ^ 0x736F_6D65_7073_6575
        v1 = second ^ 0x646F_7261_6E64_6F6D
        v2 = first ^ 0x6C79_6765_6E65_7261
        v3 = second ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
        v3 ^= word
        rounds(2)
        v0 ^= word
    }

    /// The hash, after the last word, whose top byte is the number of bytes.
    mutating func end(_ last: UInt64) -> UInt64 {
        take(last)
        v2 ^= 0xFF
        rounds(4)
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func rounds(_ count: Int) {
        for _ in 0..<count {
            v0 &+= v1
            v1 = v1.rotated(by: 13) ^ v0
            v0 = v0.rotated(by: 32)
            v2 &+= v3
            v3 = v3.rotated(by: 16) ^ v2
            v0 &+= v3
            v3 = v3.rotated(by: 21) ^ v0
            v2 &+= v1
            v1 = v1.rotated(by: 17) ^ v2
            v2 = v2.rotated(by: 32)
        }
    }
}

extension UInt64 {
    fileprivate func rotated(by bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
