import Crypto
import Foundation

/// How a deleted account's name at the outside issuer is remembered: by a keyed hash, whose key is not in the database.
///
/// The database alone then tells nothing about who was deleted, while a token from before the deletion is known again.
package struct SubjectKey: Sendable {
    private let key: SigningKey

    /// Hashes under a secret of this server.
    package init(_ key: SigningKey) {
        self.key = key
    }

    /// The hash of a subject: 32 bytes.
    @Sendable package func hash(_ subject: String) -> [UInt8] {
        // No token that the same secret signs has a space in what is signed.
        let message = Data("deleted subject \(subject)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key.bytes)))
    }
}
