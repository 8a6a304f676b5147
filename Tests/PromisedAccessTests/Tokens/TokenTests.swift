import Crypto
import Foundation
import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedAccess

@Suite(.timeLimit(.minutes(1))) struct TokenTests {
    private static let user = UserID(high: 0x0123_4567_89AB_7000, low: 0x8000_0000_0000_0001)
    private static let signIn = SignInID(high: 0x0123_4567_89AB_7000, low: 0x8000_0000_0000_0002)
    private static let now = Instant(milliseconds: 1_575_034_750_000)

    private func key(_ byte: UInt8) throws -> SigningKey {
        try #require(SigningKey(bytes: Array(repeating: byte, count: 32)))
    }

    private func signer(
        _ byte: UInt8 = 1,
        lifetime: TimeSpan = .minutes(15),
        rate: Double = 1
    ) async throws
        -> AccessTokenSigner
    {
        await AccessTokenSigner(key: try key(byte), lifetime: lifetime, clockRate: rate)
    }

    /// The part of a token between two dots, decoded.
    private func part(_ index: Int, of token: AccessToken) throws -> [String: Any] {
        let bytes = try #require(Base64Text.decodeURL(String(token.text.split(separator: ".")[index])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    // MARK: - Access tokens

    @Test(.proves("2.7")) func `a token carries user, sign-in, issuer and whole seconds`() async throws {
        let token = try await signer().issue(user: Self.user, signIn: Self.signIn, at: Self.now + .milliseconds(1))
        let claims = try part(1, of: token)
        #expect(claims["sub"] as? String == Self.user.description)
        #expect(claims["sid"] as? String == Self.signIn.description)
        #expect(claims["iss"] as? String == "promised")
        #expect(claims["iat"] as? Int == 1_575_034_750)
        #expect(claims["exp"] as? Int == 1_575_035_651)
        #expect(claims.count == 5)
        #expect(try part(0, of: token)["alg"] as? String == "HS256")
        #expect(token.expiresAt == Self.now + .minutes(15) + .seconds(1))
    }

    @Test(.proves("2.7")) func `a token is valid until the moment before its expiry`() async throws {
        let signer = try await signer()
        let token = try await signer.issue(user: Self.user, signIn: Self.signIn, at: Self.now)
        #expect(token.expiresAt == Self.now + .minutes(15))
        let claims = AccessClaims(user: Self.user, signIn: Self.signIn, expiresAt: token.expiresAt)
        #expect(try await signer.verify(token.text, at: Self.now) == claims)
        #expect(try await signer.verify(token.text, at: token.expiresAt - .milliseconds(1)) == claims)
        await #expect(throws: AccessTokenError.expired) { try await signer.verify(token.text, at: token.expiresAt) }
        // A scaled clock may start over.
        #expect(try await signer.verify(token.text, at: Self.now - .days(1)) == claims)
    }

    @Test(.proves("2.7")) func `on a scaled clock a token lives as long in real time`() async throws {
        let token = try await signer(rate: 600).issue(user: Self.user, signIn: Self.signIn, at: Self.now)
        #expect(token.expiresAt == Self.now + .hours(150))
    }

    @Test(.proves("2.7")) func `rejects a token of another key`() async throws {
        let token = try await signer(2).issue(user: Self.user, signIn: Self.signIn, at: Self.now)
        let signer = try await signer(1)
        await #expect(throws: AccessTokenError.invalid) { try await signer.verify(token.text, at: Self.now) }
    }

    @Test(.proves("2.7")) func `detects any changed character`() async throws {
        let signer = try await signer()
        let text = Array(try await signer.issue(user: Self.user, signIn: Self.signIn, at: Self.now).text)
        for index in text.indices where text[index] != "." {
            var changed = text
            changed[index] = text[index] == "A" ? "B" : "A"
            // The last character of each part has bits that decoding ignores.
            guard index + 1 < text.count, text[index + 1] != "." else { continue }
            await #expect(throws: AccessTokenError.invalid) { try await signer.verify(String(changed), at: Self.now) }
        }
    }

    @Test(arguments: [
        "", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0..", "....", "é.é.é", String(repeating: "a", count: 5_000),
    ])
    func `rejects malformed tokens`(text: String) async throws {
        let signer = try await signer()
        await #expect(throws: AccessTokenError.invalid) { try await signer.verify(text, at: Self.now) }
    }

    @Test(arguments: [(1_023, true), (1_024, true), (1_025, false)])
    func `parses tokens of up to 1 KiB and rejects longer ones`(bytes: Int, isValid: Bool) async throws {
        let signer = try await signer()
        let text = try forge(ofLength: bytes)
        #expect(text.utf8.count == bytes)
        let user = try? await signer.verify(text, at: Self.now).user
        #expect(user == (isValid ? Self.user : nil))
    }

    /// A valid token made that long by blanks in its JSON.
    private func forge(ofLength bytes: Int) throws -> String {
        let claims =
            #"{"iss":"promised","sub":"\#(Self.user)","sid":"\#(Self.signIn)","iat":1575034750,"exp":1575035650}"#
        for blanks in 0..<4 {
            let header = Base64Text.encodeURL(
                Array((#"{"alg":"HS256","typ":"JWT"}"# + String(repeating: " ", count: blanks)).utf8)
            )
            // Two dots, and a signature of 32 bytes. No text in base 64 has a length of 1 more than a multiple of 4.
            let room = bytes - header.count - 45
            guard room % 4 != 1 else { continue }
            let padding = String(repeating: " ", count: room * 3 / 4 - claims.utf8.count)
            let signed = header + "." + Base64Text.encodeURL(Array((claims + padding).utf8))
            let key = SymmetricKey(data: try key(1).bytes)
            let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)
            return signed + "." + Base64Text.encodeURL(Array(code))
        }
        return ""
    }

    @Test(.proves("2.7"), .defends("forged-tokens")) func `rejects a token without signature`() async throws {
        let signer = try await signer()
        let token = try await signer.issue(user: Self.user, signIn: Self.signIn, at: Self.now)
        let header = Base64Text.encodeURL(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        let payload = token.text.split(separator: ".")[1]
        for text in ["\(header).\(payload).", "\(token.text.split(separator: ".")[0]).\(payload)."] {
            await #expect(throws: AccessTokenError.invalid) { try await signer.verify(text, at: Self.now) }
        }
    }

    // MARK: - Refresh tokens

    @Test func `reads a refresh token from its text`() throws {
        var generator = SystemRandomNumberGenerator()
        let token = RefreshToken(using: &generator)
        #expect(token.text.count == 64)
        #expect(RefreshToken(token.text) == token)
        #expect(RefreshToken(using: &generator) != token)
        #expect(!"\(token)".contains(token.text))
    }

    @Test(.proves("2.8")) func `a token and its successors share only a family`() throws {
        var generator = SystemRandomNumberGenerator()
        let token = RefreshToken(using: &generator)
        let successor = token.successor(using: &generator)
        #expect(successor != token && successor.hash.token != token.hash.token)
        #expect(successor.hash.family == token.hash.family && token.hash.family != nil)
        #expect(RefreshToken(using: &generator).hash.family != token.hash.family)
        // A token of version 0.1 has none; its successor gets one.
        let old = try #require(RefreshToken(String(repeating: "A", count: 43)))
        #expect(old.hash.family == nil)
        #expect(old.successor(using: &generator).hash.family != nil)
    }

    @Test(arguments: [0, 3, 42, 44, 62, 63, 65, 66].map { String(repeating: "A", count: $0) })
    func `rejects other texts as refresh tokens`(text: String) {
        #expect(RefreshToken(text) == nil)
        #expect(RefreshToken(String(repeating: "A", count: 42) + "+") == nil)
        // The last character holds four bits; one with others set would be a second text of the same token.
        #expect(RefreshToken(String(repeating: "A", count: 42) + "B") == nil)
    }

    @Test(.proves("2.8"), .defends("stolen-database")) func `the stored value is the SHA-256 of the bytes`() throws {
        let token = try #require(RefreshToken(String(repeating: "A", count: 43)))
        // SHA-256 of 32 zero bytes.
        let hex = token.hash.token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(hex == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
    }
}
