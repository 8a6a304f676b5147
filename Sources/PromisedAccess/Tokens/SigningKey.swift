#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The secret that access tokens are signed with: 32 bytes.
package struct SigningKey: Sendable, Hashable, CustomStringConvertible {
    /// Bytes of a key.
    package static let length = 32

    /// The secret itself.
    package let bytes: [UInt8]

    /// A key of the given bytes; nil unless they are exactly ``length``.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new key.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Never the secret.
    package var description: String { "SigningKey(…)" }
}

/// The file in the data directory that keeps the signing key, made on first start.
///
/// It appears complete or not at all, and when another process was faster that one's key is read. A file that others may
/// read or write, that belongs to somebody else, is no regular file or holds something else is refused, never replaced:
/// with a new key every signed-in user would be signed out, which is the operator's decision.
package struct SigningKeyFile: Sendable {
    /// The file's name within the data directory.
    package static let name = "signing.key"

    /// The path of the file.
    package var path: String { file.path }

    private let file: PrivateFile

    /// The file within a data directory, which must exist when it is read.
    package init(dataDirectory: String) {
        file = PrivateFile(path: dataDirectory + "/" + Self.name)
    }

    /// The key of the file; of a new file when there is none.
    ///
    /// Blocks for the time of a few disk accesses: call it at start.
    /// - Parameter generator: where a new key comes from; must be cryptographically secure outside tests.
    package func loadOrCreate(using generator: inout some RandomNumberGenerator) throws(SigningKeyError) -> SigningKey {
        if let key = try load() { return key }
        let key = SigningKey(using: &generator)
        do throws(PrivateFile.Failure) {
            try file.create(Base64Text.encodeURL(key.bytes))
        } catch {
            throw SigningKeyError(path: path, reason: .init(error))
        }
        guard let key = try load() else { throw SigningKeyError(path: path, reason: .system(code: ENOENT)) }
        return key
    }

    /// The key of the file; nil when there is no file.
    package func load() throws(SigningKeyError) -> SigningKey? {
        let content: String?
        do throws(PrivateFile.Failure) {
            content = try file.read()
        } catch {
            throw SigningKeyError(path: path, reason: .init(error))
        }
        guard let content else { return nil }
        guard
            content.hasSuffix("\n"),
            let bytes = Base64Text.decodeURL(String(content.dropLast())),
            let key = SigningKey(bytes: bytes)
        else { throw SigningKeyError(path: path, reason: .garbage) }
        return key
    }
}

extension SigningKeyError.Reason {
    /// The same failure of any private file.
    fileprivate init(_ failure: PrivateFile.Failure) {
        switch failure {
        case .tooOpen(let mode): self = .tooOpen(mode: mode)
        case .foreignOwner: self = .foreignOwner
        case .notAFile: self = .notAFile
        case .garbage: self = .garbage
        case .system(let code): self = .system(code: code)
        }
    }
}

/// Why the signing key cannot be used; stops the start.
package struct SigningKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
        /// Others than the owner may read or write the file, which has this mode.
        case tooOpen(mode: UInt32)
        /// The file belongs to another user than the one the server runs as.
        case foreignOwner
        /// A link, a folder or a device stands in its place.
        case notAFile
        /// The content is no key.
        case garbage
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    /// The file.
    package let path: String
    /// What is wrong with it.
    package let reason: Reason

    /// A line for the operator: the file, what is wrong, and what to do.
    package var description: String {
        switch reason {
        case .tooOpen(let mode):
            "\(path): has mode \(String(mode, radix: 8)), expected 600; others may have read the key: "
                + "remove the file for a new one (signs everybody out) or run chmod 600"
        case .foreignOwner:
            "\(path): belongs to another user than the server runs as"
        case .notAFile:
            "\(path): is no regular file"
        case .garbage:
            "\(path): holds no signing key; restore it, or remove it for a new one (signs everybody out)"
        case .system(let code):
            "\(path): \(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
