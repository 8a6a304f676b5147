internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain

/// The tokens of all people, from an issuer outside the server, so that no password is hashed on a thread of its own.
enum Passports {
    private struct Made: Sendable {
        let issuerKey: IssuerKey
        let tokens: [UserID: String]
    }

    /// The most people in a story.
    private static let people = 32
    private static let made = Guarded<Made?>(nil)

    /// Signs everything in all stories.
    static let key: SigningKey = {
        guard let key = SigningKey(bytes: (0..<UInt8(SigningKey.length)).map(\.self)) else {
            preconditionFailure("The key has another length")
        }
        return key
    }()

    /// Makes all tokens, once in a process: signing takes jobs of its own.
    static func make() throws {
        guard made.withLock({ $0 == nil }) else { return }
        let passports = try Waiting.run {
            let signer = await AccessTokenSigner(key: key, lifetime: .days(30))
            var tokens: [UserID: String] = [:]
            for person in 0..<people {
                let (userID, signIn) = (Fixtures.user(person), SignInID(high: 0x7002, low: UInt64(person)))
                tokens[userID] = try await signer.issue(user: userID, signIn: signIn, at: Story.beginning).text
            }
            return Made(issuerKey: await IssuerKey(secret: key.bytes), tokens: tokens)
        }
        made.withLock { $0 = passports }
    }

    static func token(of userID: UserID) -> String { made.withLock { $0?.tokens[userID] } ?? "" }

    static func issuer(by clock: VirtualClock) -> OutsideIssuer {
        let keys = made.withLock { $0.map { [$0.issuerKey] } } ?? []
        return OutsideIssuer(keys: keys, name: nil, audience: nil, realNow: { clock.now })
    }
}
