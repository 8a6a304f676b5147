import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of an outside issuer's keys for one algorithm: a secret for HS256, public keys in PEM or a JWK set otherwise.
///
/// A JWK set may also contain keys for other algorithms; they are ignored. Blocks for a few disk accesses: read at
/// start.
package struct IssuerKeyFile: Sendable {
    /// The length of the shortest secret in bytes: that of the hash (RFC 7518 §3.2).
    package static let shortestSecret = 32
    /// The most bytes of a file.
    package static let longest = 1 << 20

    /// The path as the operator wrote it.
    package let path: String
    /// The algorithm of the keys.
    package let algorithm: IssuerAlgorithm

    /// The keys, at least one.
    package func load() async throws(IssuerKeyError) -> [IssuerKey] {
        let bytes = try contents()
        if algorithm == .hs256 { return [try await secret(bytes)] }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let keys = text.hasPrefix("{") ? try await keySet(text) : try await pem(text)
        guard !keys.isEmpty else { throw failure(.noKey) }
        return keys
    }

    private func secret(_ bytes: [UInt8]) async throws(IssuerKeyError) -> IssuerKey {
        var secret = bytes[...]
        // Editors end a file with a line break, in one of two forms.
        if secret.last == UInt8(ascii: "\n") { secret.removeLast() }
        if secret.last == UInt8(ascii: "\r") { secret.removeLast() }
        guard secret.count >= Self.shortestSecret else { throw failure(.tooShort(bytes: secret.count)) }
        return await IssuerKey(secret: Array(secret))
    }

    private func keySet(_ text: String) async throws(IssuerKeyError) -> [IssuerKey] {
        let set: IssuerKeySet
        do {
            set = try JSONDecoder().decode(IssuerKeySet.self, from: Data(text.utf8))
        } catch {
            throw failure(.notKeys(expected: "a JWK set, {\"keys\": […]}"))
        }
        if set.keys.contains(where: { $0.d != nil }) { throw failure(.privateKey) }
        var keys: [IssuerKey] = []
        for key in set.keys where key.isFor(algorithm) { keys.append(try await self.key(key)) }
        return keys
    }

    private func pem(_ text: String) async throws(IssuerKeyError) -> [IssuerKey] {
        if text.contains("PRIVATE KEY-----") { throw failure(.privateKey) }
        let end = "-----END PUBLIC KEY-----"
        var keys: [IssuerKey] = []
        for block in text.components(separatedBy: end) {
            let block = block.trimmingCharacters(in: .whitespacesAndNewlines)
            if !block.isEmpty { keys.append(try await key(block + "\n" + end + "\n")) }
        }
        return keys
    }

    private func key(_ pem: String) async throws(IssuerKeyError) -> IssuerKey {
        do {
            return try await IssuerKey(pem: pem, algorithm: algorithm)
        } catch {
            throw failure(.notKeys(expected: expectedKey))
        }
    }

    private func key(_ key: IssuerKeySet.Key) async throws(IssuerKeyError) -> IssuerKey {
        do {
            return try await IssuerKey(key, algorithm: algorithm)
        } catch {
            throw failure(.notKeys(expected: expectedKey))
        }
    }

    private var expectedKey: String {
        switch algorithm {
        case .hs256: "a secret"
        case .rs256: "public RSA keys of at least 2048 bits"
        case .es256: "public keys on the curve P-256"
        case .eddsa: "public keys on the curve Ed25519"
        }
    }

    private func failure(_ reason: IssuerKeyError.Reason) -> IssuerKeyError {
        IssuerKeyError(path: path, algorithm: algorithm, reason: reason)
    }
}

extension IssuerKeyFile {
    /// The bytes of the file. A secret that every user may read is refused; groups may have access, which is how
    /// containers and service managers pass secrets.
    private func contents() throws(IssuerKeyError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(.system(code: errno)) }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.system(code: errno)) }
        let permissions = UInt32(status.st_mode & 0o777)
        if algorithm == .hs256, permissions & 0o007 != 0 { throw failure(.tooOpen(mode: permissions)) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= Self.longest {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw failure(.system(code: errno)) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        throw failure(.tooLong)
    }
}

/// Why a file of an outside issuer's keys is unusable; stops the start.
package struct IssuerKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault.
    package enum Reason: Sendable, Hashable {
        /// Every user on the machine may read the secret; the file has this mode.
        case tooOpen(mode: UInt32)
        /// A secret of this many bytes.
        case tooShort(bytes: Int)
        /// More bytes than a key file may have.
        case tooLong
        /// Neither PEM nor a JWK set, or a key in it is of another kind; the phrase describes the expected kind.
        case notKeys(expected: String)
        /// A private key, which the server must not have.
        case privateKey
        /// No key for this algorithm.
        case noKey
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    /// The file.
    package let path: String
    /// The algorithm of its keys.
    package let algorithm: IssuerAlgorithm
    /// The fault.
    package let reason: Reason

    /// A line for the operator: the file, the fault, and the expected content.
    package var description: String {
        switch reason {
        case .tooOpen(let mode):
            "\(path): has mode \(String(mode, radix: 8)), so every user of this machine can read the secret; run chmod o-rwx"
        case .tooShort(let bytes):
            "\(path): has \(bytes) bytes; expected at least \(IssuerKeyFile.shortestSecret) for \(algorithm.rawValue)"
        case .tooLong: "\(path): is larger than \(IssuerKeyFile.longest) bytes"
        case .notKeys(let expected): "\(path): is not a key file for \(algorithm.rawValue); expected \(expected)"
        case .privateKey: "\(path): contains a private key; keep only the public key on this machine"
        case .noKey: "\(path): contains no key for \(algorithm.rawValue)"
        case .system(let code): "\(path): \(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
