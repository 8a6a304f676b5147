#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a file of an outside issuer's keys cannot be used; stops the start.
package struct IssuerKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
        /// Everybody on the machine may read the secret; the file has this mode.
        case tooOpen(mode: UInt32)
        /// A secret of so many bytes.
        case tooShort(bytes: Int)
        /// More bytes than any such file has.
        case tooLong
        /// Neither PEM nor a JWK set, or a key in it is of another kind; the phrase says what was expected.
        case notKeys(expected: String)
        /// A private key, which has no business here.
        case privateKey
        /// No key for this algorithm.
        case noKey
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    /// The file.
    package let path: String
    /// What its keys are for.
    package let algorithm: IssuerAlgorithm
    /// What is wrong with it.
    package let reason: Reason

    /// A line for the operator: the file, what is wrong, and what is expected.
    package var description: String {
        switch reason {
        case .tooOpen(let mode):
            "\(path): has mode \(String(mode, radix: 8)), so everybody can read the secret; run chmod o-rwx"
        case .tooShort(let bytes):
            "\(path): holds \(bytes) bytes, expected at least \(IssuerKeyFile.shortestSecret) for \(algorithm.rawValue)"
        case .tooLong: "\(path): is larger than \(IssuerKeyFile.longest) bytes"
        case .notKeys(let expected): "\(path): is no \(algorithm.rawValue) key file, expected \(expected)"
        case .privateKey: "\(path): holds a private key; only the public key belongs on this machine"
        case .noKey: "\(path): holds no key for \(algorithm.rawValue)"
        case .system(let code): "\(path): \(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
