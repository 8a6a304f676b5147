#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
