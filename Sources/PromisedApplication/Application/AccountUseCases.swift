package import PromisedAccess
internal import PromisedSettings

/// Accounts: sign-up, sign-in, and deletion.
package struct AccountUseCases: Sendable {
    package let accounts: Accounts
    package let deletions: AccountDeletions
    package let signInCodes: SignInCodes
    package let administration: AccountAdministration

    /// - Parameter promises: those that a deleted user leaves.
    init(_ ports: ApplicationPorts, _ core: ApplicationCore, promises: Promises) async {
        let settings = ports.settings
        signInCodes = SignInCodes(random: ports.random)
        accounts = Accounts(
            store: ports.store,
            hasher: PasswordHasher(
                cost: settings.passwords.cost,
                queue: PasswordQueue(settings.passwords),
                generator: ports.random
            ),
            signer: await AccessTokenSigner(
                key: ports.key,
                lifetime: settings.tokens.access,
                clockRate: settings.clock.rate
            ),
            callers: KnownCallers(ports.key),
            outside: ports.outside,
            news: ports.connections.news,
            clock: ports.clock,
            random: ports.random,
            settings: settings,
            throttles: core.throttles,
            log: ports.log
        )
        deletions = AccountDeletions(
            accounts: accounts,
            news: ports.connections.news,
            cards: ports.connections.cards,
            promises: promises,
            files: core.files,
            subjectKey: SubjectKey(ports.key),
            pauses: ports.execution.pauses
        )
        administration = AccountAdministration(ports.store)
    }
}
