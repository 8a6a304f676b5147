import Crypto
import Foundation
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedAccess

@Suite(.timeLimit(.minutes(2))) struct IssuerKeyFileTests {
    private let forge: TokenForge

    init() throws {
        forge = try TokenForge()
    }

    /// A file that only its owner may read.
    private func file(_ text: String, mode: Int = 0o600) throws -> TemporaryFile {
        let file = try TemporaryFile(text, name: "keys")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file
    }

    private func load(_ text: String, _ algorithm: IssuerAlgorithm, mode: Int = 0o600) async throws -> [IssuerKey] {
        let file = try file(text, mode: mode)
        return try await IssuerKeyFile(path: file.path, algorithm: algorithm).load()
    }

    private func failure(
        _ text: String,
        _ algorithm: IssuerAlgorithm,
        mode: Int = 0o600
    ) async throws -> IssuerKeyError.Reason? {
        do {
            _ = try await load(text, algorithm, mode: mode)
            return nil
        } catch let error as IssuerKeyError {
            return error.reason
        }
    }

    /// `true` if one of the keys verifies a token with this name of a key.
    private func verify(_ keys: [IssuerKey], _ algorithm: IssuerAlgorithm, kid: String? = nil) async throws -> Bool {
        let issuer = OutsideIssuer(keys: keys, name: nil, audience: nil)
        let header = kid.map { #"{"alg":"\#(algorithm.rawValue)","kid":"\#($0)"}"# }
        let token = try forge.token(algorithm, #"{"sub":"ada","exp":9999999999}"#, header: header)
        return (try? await issuer.verify(token, at: Instant(milliseconds: 0))) != nil
    }

    @Test(arguments: [.rs256, .es256, .eddsa] as [IssuerAlgorithm])
    func `reads public keys from PEM and from a JWK set`(algorithm: IssuerAlgorithm) async throws {
        let other = try TokenForge()
        let pem = try await load(forge.pem(algorithm), algorithm)
        #expect(pem.count == 1)
        #expect(try await verify(pem, algorithm))
        #expect(try await verify(pem, algorithm, kid: "any"))
        // Two keys during a rotation.
        let both = try await load(other.pem(algorithm) + "\n" + forge.pem(algorithm), algorithm)
        #expect(both.count == 2)
        #expect(try await verify(both, algorithm))
        #expect(try await !verify(try await load(other.pem(algorithm), algorithm), algorithm))

        let keys = try await load(#"{"keys":[\#(try forge.jwk(algorithm, #","kid":"k1","use":"sig""#))]}"#, algorithm)
        #expect(try await verify(keys, algorithm, kid: "k1"))
        #expect(try await verify(keys, algorithm))
        #expect(try await !verify(keys, algorithm, kid: "k2"))
    }

    @Test(arguments: [.rs256, .es256, .eddsa] as [IssuerAlgorithm])
    func `uses only the keys of a JWK set for the algorithm`(algorithm: IssuerAlgorithm) async throws {
        let all = try IssuerAlgorithm.allCases.map { try forge.jwk($0, #","kid":"\#($0.rawValue)","x5t":"?""#) }
        let keys = try await load(#"{"keys":[\#(all.joined(separator: ","))]}"#, algorithm)
        #expect(keys.map(\.id) == [algorithm.rawValue])
        for more in [#","use":"enc""#, #","alg":"RS512""#, #","alg":"HS256""#] {
            let set = #"{"keys":[\#(try forge.jwk(algorithm, more))]}"#
            #expect(try await failure(set, algorithm) == .noKey)
        }
    }

    @Test func `a secret has at least 32 bytes without one line break`() async throws {
        let secret = String(repeating: "s", count: 32)
        for text in [secret, secret + "\n", secret + "\r\n"] { #expect(try await load(text, .hs256).count == 1) }
        #expect(try await failure(String(secret.dropLast()), .hs256) == .tooShort(bytes: 31))
        #expect(try await failure(String(secret.dropLast()) + "\n", .hs256) == .tooShort(bytes: 31))
        #expect(try await failure("", .hs256) == .tooShort(bytes: 0))
        let own = try await load(forge.pem(.hs256) + "\n", .hs256)
        #expect(try await verify(own, .hs256))
    }

    @Test func `rejects a world-readable secret, not a public key`() async throws {
        let secret = String(repeating: "s", count: 32)
        #expect(try await failure(secret, .hs256, mode: 0o640) == nil)
        #expect(try await failure(secret, .hs256, mode: 0o644) == .tooOpen(mode: 0o644))
        #expect(try await failure(forge.pem(.es256), .es256, mode: 0o644) == nil)
    }

    @Test func `rejects private keys, unsupported key types and malformed input`() async throws {
        #expect(try await failure(forge.p256.pemRepresentation, .es256) == .privateKey)
        #expect(try await failure(#"{"keys":[\#(try forge.jwk(.es256, #","d":"AA""#))]}"#, .es256) == .privateKey)
        for text in ["rubbish", "{}", "[]", #"{"keys":{}}"#, forge.pem(.es256)] {
            guard case .notKeys = try await failure(text, .rs256) else {
                Issue.record("\(text) was taken for a key")
                continue
            }
        }
        #expect(try await failure("", .rs256) == .noKey)
        #expect(try await failure(#"{"keys":[]}"#, .eddsa) == .noKey)
        guard case .notKeys = try await failure(Self.smallKey, .rs256) else {
            Issue.record("A small key was taken")
            return
        }
    }

    @Test func `reports a missing or too large file with its path`() async throws {
        let missing = IssuerKeyFile(path: "/no/such/file", algorithm: .rs256)
        let error = try #require(await #expect(throws: IssuerKeyError.self) { try await missing.load() })
        #expect(error.reason == .system(code: ENOENT))
        #expect(error.description.hasPrefix("/no/such/file: "))
        let largest = String(repeating: " ", count: IssuerKeyFile.longest)
        #expect(try await failure(largest, .rs256) == .noKey)
        #expect(try await failure(largest + " ", .rs256) == .tooLong)
    }

    /// An RSA key of 1024 bits.
    private static let smallKey = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCyn8/ykI1frKpopJq2xedO42zx
        uUC0CYHVer3vW5jMMczdobVYEXbr2Ro9uAQbDa6V98EpFwSLQVKSo29UYpZ+FdK2
        zfkEqKjvSzTE0DJCfrVCYtSPRLwB6L254CKB7PrPIs3hMVLumWqn17/hzsBXxST5
        ZKXw9CXp1db/IxMdTQIDAQAB
        -----END PUBLIC KEY-----
        """
}
