internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings

/// Whoever answers requests, joined in one router, and those of them who have work of their own besides.
struct ServiceRequests: Sendable {
    let accounts: AccountRequests
    let deletions: DeletionRequests
    let signInCodes = SignInCodes()
    let router: RequestRouter

    /// All of them around the parts of a server.
    ///
    /// - Parameters:
    ///   - key: signs access tokens and check-in codes.
    ///   - outside: the accounts of an outside issuer; nil where accounts are local.
    ///   - clockCheck: compares the machine's clocks since the start.
    init(_ parts: ServiceParts, key: SigningKey, outside: OutsideAccounts?, clockCheck: ClockCheck) async {
        let settings = parts.settings
        let throttles = AccountThrottles(settings.throttle)
        let attempts = CodeAttempts(settings.throttle)
        let revocation = Revocation(connections: parts.connections, sender: parts.sender, clock: parts.clock)
        accounts = await ServiceRequests.accounts(parts, key, outside, revocation, throttles)
        deletions = DeletionRequests(
            accounts: accounts,
            broadcaster: parts.broadcaster,
            cards: parts.cards,
            promises: SessionParting(replies: parts.replies),
            subjectKey: SubjectKey(key)
        )
        let access = AdminAccess(
            store: parts.store,
            connections: parts.connections,
            sender: parts.sender,
            revocation: revocation,
            clock: parts.clock,
            settings: settings,
            log: parts.log
        )
        let friends = FriendRequests(
            store: parts.store,
            broadcaster: parts.broadcaster,
            throttles: throttles,
            frameLimit: settings.limits.sentFrame,
            onBlockChange: { [registry = parts.engine.registry] one, other in
                await registry.refreshBlocks(between: one, and: other)
            }
        )
        let meetups = MeetupRequests(parts, throttles: throttles)
        router = RequestRouter(
            accounts: accounts,
            friends: friends,
            promises: meetups.promises,
            live: meetups.live,
            changes: meetups.changes,
            invites: InviteRequests(replies: parts.replies, throttle: CodeThrottle(settings.throttle)),
            signals: SignalRequests(replies: parts.replies),
            checkIns: CheckInRequests(
                replies: parts.replies,
                codes: CheckInCodes(key),
                throttle: CodeThrottle(settings.throttle)
            ),
            results: meetups.results,
            profiles: ProfileRequests(store: parts.store, cards: parts.cards, throttles: throttles),
            deletions: deletions,
            access: access,
            admin: ServiceRequests.administration(
                parts,
                users: UserAdministration(store: parts.store, accounts: accounts, deletions: deletions),
                friends: FriendAdministration(friends: friends),
                meetups: meetups,
                tokens: TokenAdministration(store: parts.store, access: access),
                clockCheck: clockCheck
            ),
            links: ViewLinkRequests(replies: parts.replies),
            watching: WatchRequests(
                replies: parts.replies,
                attempts: attempts,
                sender: parts.sender,
                clock: parts.clock
            ),
            signInCodes: SignInCodeRequests(accounts: accounts, codes: signInCodes, attempts: attempts),
            traffic: parts.traffic
        )
    }

    private static func accounts(
        _ parts: ServiceParts,
        _ key: SigningKey,
        _ outside: OutsideAccounts?,
        _ revocation: Revocation,
        _ throttles: AccountThrottles
    ) async -> AccountRequests {
        let settings = parts.settings
        let signer = await AccessTokenSigner(
            key: key,
            lifetime: settings.tokens.access,
            clockRate: settings.clock.rate
        )
        return AccountRequests(
            store: parts.store,
            connections: parts.connections,
            sender: parts.sender,
            hasher: PasswordHasher(cost: settings.passwords.cost, queue: PasswordQueue(settings.passwords)),
            signer: signer,
            outside: outside,
            revocation: revocation,
            clock: parts.clock,
            settings: settings,
            throttles: throttles,
            log: parts.log
        )
    }

    private static func administration(
        _ parts: ServiceParts,
        users: UserAdministration,
        friends: FriendAdministration,
        meetups: MeetupRequests,
        tokens: TokenAdministration,
        clockCheck: ClockCheck
    ) -> AdminRequests {
        let promises = PromiseAdministration(
            store: parts.store,
            users: users,
            promises: meetups.promises,
            changes: meetups.changes,
            results: meetups.results,
            replies: parts.replies
        )
        return AdminRequests(
            users: users,
            friends: friends,
            promises: promises,
            watching: WatchAdministration(promises: promises, live: meetups.live, archive: parts.archive),
            live: LiveAdministration(registry: parts.engine.registry),
            stats: StatsAdministration(
                store: parts.store,
                registry: parts.engine.registry,
                connections: parts.connections,
                traffic: parts.traffic,
                startedAt: .now
            ),
            health: HealthAdministration(store: parts.store, settings: parts.settings, clock: clockCheck),
            backups: BackupAdministration(
                store: parts.store,
                archive: parts.archive,
                directory: parts.settings.backup.directory,
                log: parts.log
            ),
            tokens: tokens,
            audit: AuditAdministration(store: parts.store)
        )
    }
}

/// What participants and administrators ask of promises alike.
private struct MeetupRequests {
    let promises: PromiseRequests
    let live: LiveRequests
    let changes: ChangeRequests
    let results: ResultRequests

    init(_ parts: ServiceParts, throttles: AccountThrottles) {
        let settings = parts.settings
        promises = PromiseRequests(
            store: parts.store,
            engine: parts.engine,
            broadcaster: parts.broadcaster,
            replies: parts.replies,
            throttles: throttles,
            spans: settings.window,
            grace: settings.arrival.grace,
            frameLimit: settings.limits.sentFrame
        )
        live = LiveRequests(
            replies: parts.replies,
            registry: parts.engine.registry,
            clock: parts.clock,
            sender: parts.sender,
            cards: parts.cards
        )
        changes = ChangeRequests(replies: parts.replies, engine: parts.engine, clock: parts.clock)
        results = ResultRequests(
            replies: parts.replies,
            archive: parts.archive,
            throttles: throttles,
            frameLimit: settings.limits.sentFrame
        )
    }
}
