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

    /// A key of the given bytes; nil unless there are exactly ``length``.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A new key. `generator` must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Never contains the secret.
    package var description: String { "SigningKey(…)" }
}

/// The file in the data directory that holds the signing key, created on first start.
///
/// It is created atomically, and if another process was faster its key is used. A file that other users may read or
/// write, that another user owns, that is not a regular file or has other content is refused, never replaced: a new key
/// would sign every user out, which is the operator's decision.
package struct SigningKeyFile: Sendable {
    /// The file's name within the data directory.
    package static let name = "signing.key"

    package var path: String { file.path }

    private let file: PrivateFile

    /// The file within a data directory, which must exist when it is read.
    package init(dataDirectory: String) { file = PrivateFile(path: dataDirectory + "/" + Self.name) }

    /// The key of the file, which is created if necessary.
    ///
    /// Blocks for a few disk accesses: call it at start.
    /// - Parameter generator: creates a new key; must be cryptographically secure outside tests.
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

    /// The key of the file; nil if it does not exist.
    package func load() throws(SigningKeyError) -> SigningKey? {
        let content: String?
        do throws(PrivateFile.Failure) {
            content = try file.read()
        } catch {
            throw SigningKeyError(path: path, reason: .init(error))
        }
        guard let content else { return nil }
        guard content.hasSuffix("\n"), let bytes = Base64Text.decodeURL(String(content.dropLast())),
            let key = SigningKey(bytes: bytes)
        else { throw SigningKeyError(path: path, reason: .garbage) }
        return key
    }
}

extension SigningKeyError.Reason {
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

/// Why the signing key is unusable; stops the start.
package struct SigningKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault.
    package enum Reason: Sendable, Hashable {
        /// Other users may read or write the file, which has this mode.
        case tooOpen(mode: UInt32)
        /// The file belongs to another user than the one the server runs as.
        case foreignOwner
        /// A link, a folder or a device is at its path.
        case notAFile
        /// The content is not a key.
        case garbage
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    /// The file.
    package let path: String
    /// The fault.
    package let reason: Reason

    /// A line for the operator: the file, the fault, and what to do.
    package var description: String {
        switch reason {
        case .tooOpen(let mode):
            "\(path): has mode \(String(mode, radix: 8)), expected 600; other users may have read the key: "
                + "remove the file to get a new key (signs all users out), or run chmod 600"
        case .foreignOwner: "\(path): does not belong to the user that the server runs as"
        case .notAFile: "\(path): is not a regular file"
        case .garbage:
            "\(path): contains no signing key; restore the file, or remove it to get a new key (signs all users out)"
        case .system(let code): "\(path): \(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
