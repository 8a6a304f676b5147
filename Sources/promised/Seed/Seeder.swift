import Foundation
internal import PromisedAccess
import PromisedDomain
import PromisedServer
import PromisedStore

/// Writes a ``SeedPlan`` into a data directory that no server has open.
struct Seeder {
    /// So many promises share a transaction.
    private static let batchSize = 200

    private let store: Store
    private let signer: AccessTokenSigner
    private let now: Instant

    /// Opens the directory, which is made when it is missing, with its signing key.
    ///
    /// - Throws: `StoreError.locked` while a server has it open, any other `StoreError`, `SigningKeyError`.
    init(directory: String, lifetime: TimeSpan) async throws {
        store = try await Store.open(directory: directory)
        var generator = SystemRandomNumberGenerator()
        let key = try SigningKeyFile(dataDirectory: directory).loadOrCreate(using: &generator)
        signer = await AccessTokenSigner(key: key, lifetime: lifetime)
        now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }

    /// Writes everything and closes the store.
    ///
    /// - Returns: a line of the token file for each user.
    /// - Throws: `StoreError`, also when users of an earlier seeding have the same names; `AccessTokenError`.
    func write(_ plan: SeedPlan) async throws -> [String] {
        var generator = SystemRandomNumberGenerator()
        var lines: [String] = []
        lines.reserveCapacity(plan.users)
        for start in stride(from: 0, to: plan.groups, by: Self.batchSize) {
            let numbers = start..<min(start + Self.batchSize, plan.groups)
            let groups = numbers.map { plan.group($0, at: now, using: &generator) }
            try await store.seed(plan.batch(groups, at: now))
            for group in groups { lines += try await self.lines(of: group) }
        }
        try await store.close()
        return lines
    }

    private func lines(of group: SeedPlan.Group) async throws -> [String] {
        var lines: [String] = []
        for user in group.users {
            let token = try await signer.issue(user: user.id, signIn: user.signIn, at: now)
            lines.append(TokenFile.line(user: user.id, of: group.meetup.promise, token: token.text))
        }
        return lines
    }
}
