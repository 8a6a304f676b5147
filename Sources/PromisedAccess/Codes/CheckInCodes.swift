internal import Crypto
package import PromisedDomain

/// The six digits by which people at the place let others check in (domain §6.7).
///
/// A code is derived from the server's secret, the promise and the minute, like the one-time passwords of RFC 6238, so
/// codes are not stored. The previous code is still valid, for slow typists.
package struct CheckInCodes: Sendable {
    /// How long a code is valid.
    package static let period = TimeSpan.minutes(1)

    private let key: SymmetricKey

    /// Codes of a server with this secret.
    package init(_ secret: SigningKey) {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.bytes),
            info: Array("promised check-in codes".utf8),
            outputByteCount: 32
        )
        key = derived
    }

    /// The code of a promise at an instant, and when it is replaced.
    package func code(of promise: PromiseID, at now: Instant) -> (text: String, expiresAt: Instant) {
        let period = CheckInCodes.period(at: now)
        let expiresAt = Instant(milliseconds: (period + 1) * CheckInCodes.period.milliseconds)
        return (text(of: promise, in: period), expiresAt)
    }

    /// `true` if a code is valid at an instant: the current one, or the previous one.
    package func accepts(_ code: String, for promise: PromiseID, at now: Instant) -> Bool {
        guard code.utf8.count <= TextWeight.code else { return false }
        let typed = code.utf8.filter { $0 != UInt8(ascii: " ") }
        let period = CheckInCodes.period(at: now)
        return [period, period - 1].contains { Array(text(of: promise, in: $0).utf8) == typed }
    }

    private static func period(at now: Instant) -> Int64 {
        Int64((Double(now.milliseconds) / Double(period.milliseconds)).rounded(.down))
    }

    /// RFC 4226 §5.3: 31 bits from the offset in the last four bits, modulo a million.
    private func text(of promise: PromiseID, in period: Int64) -> String {
        var message = Array(promise.description.utf8)
        withUnsafeBytes(of: period.bigEndian) { message.append(contentsOf: $0) }
        let digest = Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
        let offset = Int(digest[digest.count - 1] & 0x0F)
        let number = digest[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
