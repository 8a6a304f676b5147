import Foundation
import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedAccess

@Suite(.timeLimit(.minutes(2))) struct OutsideIssuerTests {
    /// The real time of these tests, in seconds: 2026-11-21T09:00:00Z.
    private static let real = 1_795_251_600.0
    private static let now = Instant(milliseconds: 1_795_251_600_000)
    private let forge: TokenForge

    init() throws {
        forge = try TokenForge()
    }

    private func issuer(
        _ algorithms: [IssuerAlgorithm] = IssuerAlgorithm.allCases,
        name: String? = nil,
        audience: String? = nil,
        rate: Double = 1
    ) async throws -> OutsideIssuer {
        var keys: [IssuerKey] = []
        for algorithm in algorithms {
            let key =
                algorithm == .hs256
                ? await IssuerKey(secret: forge.secret)
                : try await IssuerKey(pem: forge.pem(algorithm), algorithm: algorithm)
            keys.append(key)
        }
        return OutsideIssuer(keys: keys, name: name, audience: audience, clockRate: rate) {
            Instant(milliseconds: Int64(Self.real * 1_000))
        }
    }

    private func claims(_ more: String = "", sub: String = "ada", exp: Double = real + 600) -> String {
        #"{"sub":"\#(sub)","exp":\#(exp)\#(more)}"#
    }

    @Test(.proves("2.12"), arguments: IssuerAlgorithm.allCases)
    func `a token of each algorithm names its user`(algorithm: IssuerAlgorithm) async throws {
        let more = #","iat":\#(Self.real - 5),"preferred_username":"Ada","iss":"x","aud":["y"],"role":"admin""#
        let token = try forge.token(algorithm, claims(more))
        let verified = try await issuer().verify(token, at: Self.now)
        #expect(verified.subject == "ada" && verified.preferredUsername == "Ada")
        #expect(verified.issuedAt == Self.now - .seconds(5))
        #expect(verified.expiresAt == Self.now + .seconds(600))
        // Only the keys of that algorithm know it.
        let others = IssuerAlgorithm.allCases.filter { $0 != algorithm }
        await #expect(throws: AccessTokenError.invalid) {
            try await issuer(others).verify(token, at: Self.now)
        }
    }

    @Test(.proves("2.12"), .defends("forged-tokens")) func `rejects a public key as a secret`() async throws {
        for algorithm in [.rs256, .es256, .eddsa] as [IssuerAlgorithm] {
            let pem = forge.pem(algorithm)
            for text in [pem, pem.trimmingCharacters(in: .whitespacesAndNewlines)] {
                let token = forge.confused(with: text, claims())
                await #expect(throws: AccessTokenError.invalid) { try await issuer().verify(token, at: Self.now) }
                await #expect(throws: AccessTokenError.invalid) {
                    try await issuer([algorithm]).verify(token, at: Self.now)
                }
            }
        }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"RS256"}"#, #"{"alg":"HS512"}"#, #"{"alg":"hs256"}"#,
        #"{"typ":"JWT"}"#, #"{"alg":"HS256","crit":["exp"]}"#, #"{"alg":"HS256","crit":[]}"#, "{", "[]", "",
    ])
    func `rejects headers that differ from the key's, with any signature`(header: String) async throws {
        let token = try forge.token(.hs256, claims(), header: header)
        await #expect(throws: AccessTokenError.invalid) { try await issuer().verify(token, at: Self.now) }
    }

    @Test func `rejects changed, truncated and unsigned tokens`() async throws {
        let good = try forge.token(.hs256, claims())
        let parts = good.split(separator: ".").map(String.init)
        let other = try forge.token(.hs256, claims(sub: "eve")).split(separator: ".").map(String.init)
        let bad = [
            "", ".", "..", "a.b.c", good + ".", "." + good, parts[0] + "." + parts[1],
            parts[0] + "." + parts[1] + ".", parts[0] + "." + other[1] + "." + parts[2],
            parts[0] + "." + parts[1] + "." + other[2],
        ]
        for token in bad {
            await #expect(throws: AccessTokenError.invalid, "\(token)") {
                try await issuer().verify(token, at: Self.now)
            }
        }
        #expect(try await issuer().verify(good, at: Self.now).subject == "ada")
    }

    @Test func `accepts a token until 30 s after its required expiry`() async throws {
        let issuer = try await issuer()
        let good = try forge.token(.hs256, claims(exp: Self.real - 29.999))
        #expect(try await issuer.verify(good, at: Self.now).expiresAt == Self.now - .milliseconds(29_999))
        for exp in [Self.real - 30, Self.real - 30.001, 0] {
            let token = try forge.token(.hs256, claims(exp: exp))
            await #expect(throws: AccessTokenError.expired) { try await issuer.verify(token, at: Self.now) }
        }
        for text in [
            #"{"sub":"ada"}"#, #"{"sub":"ada","exp":null}"#, #"{"sub":"ada","exp":"9999999999"}"#,
            claims(exp: -1), claims(exp: 253_402_300_801), claims(exp: 1e300),
        ] {
            let token = try forge.token(.hs256, text)
            await #expect(throws: AccessTokenError.invalid, "\(text)") {
                try await issuer.verify(token, at: Self.now)
            }
        }
    }

    @Test(arguments: [(29.0, true), (30, true), (30.001, false), (-1_000, true)])
    func `accepts a token from 30 s before its start`(seconds: Double, isGood: Bool) async throws {
        let token = try forge.token(.hs256, claims(#","nbf":\#(Self.real + seconds)"#))
        let verified = try? await issuer().verify(token, at: Self.now)
        #expect((verified != nil) == isGood)
    }

    @Test(arguments: [(0, false), (1, true), (255, true), (256, false)])
    func `a subject has 1 to 255 characters`(length: Int, isGood: Bool) async throws {
        let token = try forge.token(.hs256, claims(sub: String(repeating: "é", count: length)))
        let verified = try? await issuer().verify(token, at: Self.now)
        #expect((verified?.subject.count == length) == isGood)
    }

    @Test func `checks issuer and audience if they are configured`() async throws {
        let issuer = try await issuer(name: "https://id.example", audience: "app")
        let rows: [(String, Bool)] = [
            (#","iss":"https://id.example","aud":"app""#, true),
            (#","iss":"https://id.example","aud":["web","app"]"#, true),
            (#","iss":"https://id.example","aud":[]"#, false),
            (#","iss":"https://id.example","aud":"APP""#, false),
            (#","iss":"https://id.example""#, false),
            (#","iss":"https://id.example/","aud":"app""#, false),
            (#","aud":"app""#, false),
        ]
        for (more, isGood) in rows {
            let verified = try? await issuer.verify(try forge.token(.hs256, claims(more)), at: Self.now)
            #expect((verified != nil) == isGood, "\(more)")
        }
    }

    @Test func `tokens of one outside session share a sign-in, others do not`() async throws {
        let issuer = try await issuer()
        func signIn(_ more: String, sub: String = "ada", exp: Double = Self.real + 600) async throws -> SignInID {
            try await issuer.verify(try forge.token(.hs256, claims(more, sub: sub, exp: exp)), at: Self.now).signIn
        }
        let first = try await signIn(#","sid":"s1""#)
        #expect(try await signIn(#","sid":"s1""#, exp: Self.real + 700) == first)
        #expect(try await signIn(#","sid":"s2""#) != first)
        #expect(try await signIn(#","sid":"s1""#, sub: "bea") != first)
        let bare = try await signIn("")
        #expect(try await signIn("") == bare)
        #expect(try await signIn("", exp: Self.real + 700) != bare)
    }

    @Test func `on a scaled clock a token lives as long in real time`() async throws {
        let token = try forge.token(.hs256, claims(#","iat":\#(Self.real - 1)"#))
        let start = Instant(milliseconds: 0)
        let verified = try await issuer(rate: 60).verify(token, at: start)
        #expect(verified.expiresAt == start + .seconds(36_000))
        #expect(verified.issuedAt == start - .seconds(60))
    }

    @Test func `rejects a token of more than 3072 bytes before parsing`() async throws {
        let issuer = try await issuer()
        func token(_ padding: Int) throws -> String {
            try forge.token(.hs256, claims(#","x":"\#(String(repeating: "x", count: padding))""#))
        }
        // Not every length occurs: three bytes become four.
        let fits = try #require(try (2_000...2_304).last { try token($0).utf8.count <= OutsideIssuer.longest })
        let (last, next) = (try token(fits), try token(fits + 1))
        #expect(next.utf8.count - last.utf8.count <= 2)
        #expect(try await issuer.verify(last, at: Self.now).subject == "ada")
        await #expect(throws: AccessTokenError.invalid) { try await issuer.verify(next, at: Self.now) }
    }

    @Test func `rejects a token with more than 32 consecutive marks before parsing`() async throws {
        let issuer = try await issuer()
        for (marks, isGood) in [(32, true), (33, false)] {
            let name = "x" + String(repeating: "\u{345}", count: marks)
            let token = try forge.token(.hs256, claims(#","\#(name)":1"#))
            if isGood {
                #expect(try await issuer.verify(token, at: Self.now).subject == "ada")
            } else {
                await #expect(throws: AccessTokenError.invalid) { try await issuer.verify(token, at: Self.now) }
            }
        }
    }
}
