internal import PromisedAccess
package import PromisedDomain
package import PromisedStore

/// The accounts, for administrators' searches.
package struct AccountAdministration: Sendable {
    /// The most suggested names.
    package static let suggestionLimit = 5
    /// The most nicknames with the same first letter to compare.
    private static let comparisonLimit = 10_000

    private let store: (accounts: AccountStore, administration: AdministrationStore)

    package init(_ store: some HasAccounts & HasAdministration) { self.store = (store.accounts, store.administration) }

    /// Accounts with an id, a nickname or an e-mail address; if none match, similar names. Throws `TextProblem`,
    /// `invalid`.
    package func find(
        _ name: String,
        at now: Instant
    ) async throws -> (found: [AdministeredAccount], suggestions: [String]) {
        let key = try Self.key(name, field: "name")
        guard !key.isEmpty else { throw Refusal.invalid(field: "name") }
        let found: [AdministeredAccount]
        if let id = UserID(key) {
            found = try await store.administration.administeredAccount(id, at: now).map { [$0] } ?? []
        } else {
            found = try await store.administration.accounts(named: key, at: now)
        }
        return (found, found.isEmpty ? try await suggestions(for: key) : [])
    }

    /// A page of the accounts whose name or address contains a text. Throws `TextProblem`.
    package func list(
        containing text: String?,
        onlyDisabled: Bool,
        after cursor: FriendCursor?,
        limit: Int,
        at now: Instant
    ) async throws -> Page<AdministeredAccount, FriendCursor> {
        let key = try text.map { text throws in try Self.key(text, field: "text") } ?? ""
        return try await store.administration.accounts(
            containing: key.isEmpty ? nil : key,
            onlyDisabled: onlyDisabled,
            at: now,
            after: cursor,
            limit: limit
        )
    }

    /// An account with its statistics, deleted or not. Throws `userNotFound`.
    package func show(
        _ id: UserID,
        at now: Instant
    ) async throws -> (account: AdministeredAccount, statistics: Statistics) {
        (try await account(id, at: now), try await store.accounts.statistics(of: id))
    }

    /// An account's open sign-ins, newest first. Throws `userNotFound`.
    package func signIns(of id: UserID, at now: Instant) async throws -> [OpenSignIn] {
        _ = try await account(id, at: now)
        return try await store.administration.openSignIns(of: id, at: now)
    }

    /// - Throws: `userNotFound` for an account that is deleted or being deleted, with the field.
    package func requireLiving(_ id: UserID, field: String = "userId") async throws {
        guard let account = try await store.accounts.account(id), account.deletedAt == nil, account.deletingAt == nil
        else {
            throw ApplicationError.refused(.userNotFound, field: field)
        }
    }

    package func account(_ id: UserID, at now: Instant) async throws -> AdministeredAccount {
        guard let account = try await store.administration.administeredAccount(id, at: now) else {
            throw ApplicationError.refused(.userNotFound, field: "userId")
        }
        return account
    }

    private static func key(_ text: String, field: String) throws(TextProblem) -> String {
        try TextWeight.check(text, of: field, longest: TextWeight.name)
        return Nickname.key(for: String(text.prefix(EmailAddress.longest)))
    }

    /// Names that contain the text, then nicknames that differ from it in one or two letters.
    private func suggestions(for key: String) async throws -> [String] {
        let containing = try await store.administration.names(containing: key, limit: Self.suggestionLimit)
        let near = try await store.administration.nicknames(
            beginningWith: String(key.prefix(1)),
            limit: Self.comparisonLimit
        )
        guard containing.count < Self.suggestionLimit else { return containing }
        let alike = near.map { (name: $0.text, distance: EditDistance.between(key, $0.key)) }
            .filter { $0.distance <= 2 && !containing.contains($0.name) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return containing + alike.map(\.name).prefix(Self.suggestionLimit - containing.count)
    }
}
