internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedSettings
internal import PromisedStore

/// A server's acts and the requests that call them, joined in one router.
struct ServiceRequests: Sendable {
    let accounts: Accounts
    let deletions: AccountDeletions
    let signInCodes: SignInCodes
    let courses: CourseParts
    let router: RequestRouter

    /// The acts and requests of a server with these parts.
    ///
    /// - Parameters:
    ///   - places: the directory and its weather.
    ///   - metrics: creates the counters of exports.
    ///   - key: signs access tokens and check-in codes.
    ///   - outside: the accounts of an outside issuer; nil if accounts are local.
    ///   - clockCheck: compares the machine's clocks since the start.
    init(
        _ parts: ServiceParts,
        _ places: PlaceParts,
        metrics: MetricRegistry,
        key: SigningKey,
        outside: OutsideAccounts?,
        clockCheck: ClockCheck
    ) async {
        let settings = parts.settings
        signInCodes = SignInCodes(random: parts.random)
        courses = CourseParts(parts, places, metrics: metrics)
        let throttles = AccountThrottles(settings.throttle)
        let attempts = CodeAttempts(settings.throttle)
        let revocation = Revocation(connections: parts.connections, sender: parts.sender, clock: parts.clock)
        accounts = Accounts(
            store: parts.store,
            hasher: PasswordHasher(
                cost: settings.passwords.cost,
                queue: PasswordQueue(settings.passwords),
                generator: parts.random
            ),
            signer: await AccessTokenSigner(key: key, lifetime: settings.tokens.access, clockRate: settings.clock.rate),
            callers: KnownCallers(key),
            outside: outside,
            endings: revocation,
            clock: parts.clock,
            random: parts.random,
            settings: settings,
            throttles: throttles,
            log: parts.log
        )
        let friendships = Friendships(
            store: parts.store,
            notifier: parts.broadcaster,
            notifications: parts.notifications,
            throttles: throttles,
            onBlockChange: { [registry = parts.engine.registry] one, other in
                await registry.refreshBlocks(between: one, and: other)
            }
        )
        let meetups = MeetupRequests(parts, throttles, attempts, key, places.weather.outlooks)
        deletions = AccountDeletions(
            accounts: accounts,
            notifier: parts.broadcaster,
            cards: parts.cards,
            promises: meetups.promises.promises,
            files: parts.files,
            subjectKey: SubjectKey(key)
        )
        let access = AdminAccess(
            tokens: AdminTokens(parts.store, random: parts.random),
            connections: parts.connections,
            sender: parts.sender,
            revocation: revocation,
            clock: parts.clock,
            settings: settings,
            log: parts.log
        )
        let friends = FriendshipRequests(friendships: friendships, frameLimit: settings.limits.sentFrame)
        let directory = UserDirectory(parts.store)
        let profiles = Profiles(
            store: parts.store,
            cards: parts.cards,
            throttles: throttles,
            notifications: parts.notifications
        )
        router = RequestRouter(
            accounts: AccountRequests(
                accounts: accounts,
                deletions: deletions,
                codes: signInCodes,
                attempts: attempts,
                connections: parts.connections,
                sender: parts.sender,
                revocation: revocation,
                clock: parts.clock,
                settings: settings
            ),
            friends: friends,
            profiles: ProfileRequests(profiles: profiles),
            promises: meetups.promises,
            live: meetups.live,
            results: meetups.results,
            places: PlaceRequests(parts, places, profiles: profiles),
            notifications: NotificationRequests(
                notifications: Notifications(store: parts.store, queue: parts.notifications),
                frameLimit: settings.limits.sentFrame
            ),
            files: FileRequests(files: parts.files),
            visits: VisitRequests(parts),
            folders: courses.folderRequests,
            courses: courses.courseRequests,
            recordings: courses.recordingRequests,
            exports: courses.exportRequests,
            access: access,
            admin: AdminRequests(
                users: UserAdministration(
                    directory: directory,
                    accounts: accounts,
                    deletions: deletions,
                    friendships: friends,
                    connections: parts.connections,
                    issuer: settings.auth.issuer.name ?? "outside"
                ),
                promises: meetups.forms(directory),
                places: PlaceForms(
                    administration: places.administration,
                    imports: places.imports,
                    weather: places.weather,
                    frameLimit: settings.limits.sentFrame
                ),
                courses: CourseForms(
                    courses: courses.recommended,
                    files: parts.files,
                    frameLimit: settings.limits.sentFrame
                ),
                server: ServerAdministration(parts, places.categories, access),
                health: HealthAdministration(
                    store: parts.store.upkeep,
                    files: parts.files,
                    settings: settings,
                    clock: clockCheck,
                    integrity: parts.integrity
                )
            ),
            traffic: parts.traffic
        )
    }
}

extension ServerAdministration {
    fileprivate init(_ parts: ServiceParts, _ categories: CategoryTable, _ access: AdminAccess) {
        self.init(
            store: (parts.store.administration, parts.store.upkeep),
            files: parts.files,
            registry: parts.engine.registry,
            connections: parts.connections,
            traffic: parts.traffic,
            startedAt: .now,
            backups: Backups(
                store: parts.store,
                archive: parts.archive,
                vault: parts.files.vault,
                directory: parts.settings.backup.directory,
                categories: categories,
                log: parts.log
            ),
            tokens: AdminTokens(parts.store, random: parts.random),
            audit: Audit(parts.store),
            access: access
        )
    }
}

extension VisitRequests {
    fileprivate init(_ parts: ServiceParts) {
        self.init(
            visits: Visits(
                store: parts.store,
                files: parts.files,
                zones: parts.zones,
                holidays: parts.settings.places.holidays,
                clock: parts.clock,
                random: parts.random
            ),
            frameLimit: parts.settings.limits.sentFrame
        )
    }
}

extension PlaceRequests {
    fileprivate init(_ parts: ServiceParts, _ places: PlaceParts, profiles: Profiles) {
        let openings = places.directory.openings
        self.init(
            places: Places(
                directory: places.directory,
                store: parts.store,
                categories: places.categories,
                clock: parts.clock
            ),
            favourites: Favourites(
                store: parts.store,
                openings: openings,
                clock: parts.clock,
                random: parts.random
            ),
            shareTexts: ShareTexts(
                sessions: parts.sessions,
                openings: openings,
                maps: parts.settings.places.mapLinks,
                clock: parts.clock
            ),
            outlooks: places.weather.outlooks,
            profiles: profiles,
            frameLimit: parts.settings.limits.sentFrame
        )
    }
}

/// The acts on promises shared by participants and administrators.
private struct MeetupRequests {
    let promises: PromiseRequests
    let live: LiveRequests
    let results: ResultRequests
    private let sessions: PromiseSessions

    init(
        _ parts: ServiceParts,
        _ throttles: AccountThrottles,
        _ attempts: CodeAttempts,
        _ key: SigningKey,
        _ outlooks: Outlooks
    ) {
        let settings = parts.settings
        sessions = parts.sessions
        let links = ViewLinks(sessions: sessions, attempts: attempts, random: parts.random)
        promises = PromiseRequests(
            promises: Promises(
                sessions: sessions,
                engine: parts.engine,
                announcer: parts.broadcaster,
                throttles: throttles,
                clock: parts.clock,
                random: parts.random,
                spans: settings.window
            ),
            invites: Invites(sessions: sessions, throttle: CodeThrottle(settings.throttle), random: parts.random),
            links: links,
            outlooks: outlooks,
            grace: settings.arrival.grace,
            frameLimit: settings.limits.sentFrame
        )
        live = LiveRequests(
            onTheWay: OnTheWay(
                sessions: sessions,
                codes: CheckInCodes(key),
                throttle: CodeThrottle(settings.throttle),
                notifications: parts.notifications
            ),
            links: links,
            cards: parts.cards,
            clock: parts.clock,
            sender: parts.sender
        )
        results = ResultRequests(
            results: Results(
                sessions: sessions,
                archive: parts.archive,
                throttles: throttles,
                clock: parts.clock,
                retention: settings.positionRetention
            ),
            frameLimit: settings.limits.sentFrame
        )
    }

    func forms(_ directory: UserDirectory) -> PromiseForms {
        PromiseForms(
            administration: PromiseAdministration(
                sessions: sessions,
                promises: promises.promises,
                results: results.results
            ),
            directory: directory,
            promises: promises,
            results: results,
            live: live
        )
    }
}
