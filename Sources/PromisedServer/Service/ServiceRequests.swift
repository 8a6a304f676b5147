internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedSettings

/// A server's use cases.
struct ServiceRequests: UseCases {
    let accounts: Accounts
    let deletions: AccountDeletions
    let signInCodes: SignInCodes
    let codeAttempts: CodeAttempts
    let profiles: Profiles
    let friendships: Friendships
    let visits: Visits
    let favourites: Favourites
    let shareTexts: ShareTexts
    let places: Places
    let notifications: Notifications
    let adminTokens: AdminTokens
    let userDirectory: UserDirectory
    let totals: ServerTotals
    let backups: Backups
    let audit: Audit

    private let parts: ServiceParts
    private let atlas: PlaceParts
    private let keepsakes: CourseParts
    private let meetups: MeetupRequests

    var cards: UserCardCache { parts.cards }
    var files: Files { parts.files }
    var sessions: SessionRegistry { parts.engine.registry }
    var promises: Promises { meetups.promises }
    var invites: Invites { meetups.invites }
    var viewLinks: ViewLinks { meetups.links }
    var onTheWay: OnTheWay { meetups.onTheWay }
    var results: Results { meetups.results }
    var promiseAdministration: PromiseAdministration { meetups.administration }
    var weather: Weather { atlas.weather }
    var placeAdministration: PlaceAdministration { atlas.administration }
    var placeImports: PlaceImports { atlas.imports }
    var folders: Folders { keepsakes.folders }
    var courses: Courses { keepsakes.courses }
    var courseKeeping: CourseKeeping { keepsakes.keeping }
    var courseFiles: CourseFiles { keepsakes.files }
    var recordings: Recordings { keepsakes.recordings }
    var recommendedCourses: RecommendedCourses { keepsakes.recommended }
    var exports: DataExports { keepsakes.exports }

    /// The use cases of a server with these parts.
    ///
    /// - Parameters:
    ///   - places: the directory and its weather.
    ///   - metrics: creates the counters of exports.
    ///   - key: signs access tokens and check-in codes.
    ///   - outside: the accounts of an outside issuer; nil if accounts are local.
    init(
        _ parts: ServiceParts,
        _ places: PlaceParts,
        metrics: MetricRegistry,
        key: SigningKey,
        outside: OutsideAccounts?
    ) async {
        self.parts = parts
        atlas = places
        keepsakes = CourseParts(parts, places, metrics: metrics)
        let settings = parts.settings
        signInCodes = SignInCodes(random: parts.random)
        codeAttempts = CodeAttempts(settings.throttle)
        let throttles = AccountThrottles(settings.throttle)
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
            news: parts.peers.broadcaster,
            clock: parts.clock,
            random: parts.random,
            settings: settings,
            throttles: throttles,
            log: parts.log
        )
        friendships = Friendships(
            store: parts.store,
            sessions: parts.engine.registry,
            news: parts.peers.broadcaster,
            notifications: parts.notifications,
            throttles: throttles
        )
        meetups = MeetupRequests(parts, throttles, codeAttempts, key)
        deletions = AccountDeletions(
            accounts: accounts,
            news: parts.peers.broadcaster,
            cards: parts.cards,
            promises: meetups.promises,
            files: parts.files,
            subjectKey: SubjectKey(key)
        )
        adminTokens = AdminTokens(parts.store, random: parts.random)
        userDirectory = UserDirectory(parts.store)
        audit = Audit(parts.store)
        totals = ServerTotals(store: parts.store, files: parts.files, registry: parts.engine.registry)
        backups = Backups(
            store: parts.store,
            archive: parts.archive,
            vault: parts.files.vault,
            directory: settings.backup.directory,
            categories: places.categories,
            log: parts.log
        )
        profiles = Profiles(
            store: parts.store,
            cards: parts.cards,
            throttles: throttles,
            notifications: parts.notifications
        )
        notifications = Notifications(store: parts.store, queue: parts.notifications)
        visits = Visits(parts)
        self.places = Places(
            directory: places.directory,
            store: parts.store,
            categories: places.categories,
            clock: parts.clock
        )
        favourites = Favourites(
            store: parts.store,
            openings: places.directory.openings,
            clock: parts.clock,
            random: parts.random
        )
        shareTexts = ShareTexts(
            sessions: parts.sessions,
            openings: places.directory.openings,
            maps: settings.places.mapLinks,
            clock: parts.clock
        )
    }
}

extension Visits {
    fileprivate init(_ parts: ServiceParts) {
        self.init(
            store: parts.store,
            files: parts.files,
            zones: parts.zones,
            holidays: parts.settings.places.holidays,
            clock: parts.clock,
            random: parts.random
        )
    }
}

/// The acts on promises shared by participants and administrators.
private struct MeetupRequests {
    let promises: Promises
    let invites: Invites
    let links: ViewLinks
    let onTheWay: OnTheWay
    let results: Results
    let administration: PromiseAdministration

    init(_ parts: ServiceParts, _ throttles: AccountThrottles, _ attempts: CodeAttempts, _ key: SigningKey) {
        let (settings, sessions) = (parts.settings, parts.sessions)
        links = ViewLinks(sessions: sessions, attempts: attempts, random: parts.random)
        promises = Promises(
            sessions: sessions,
            engine: parts.engine,
            announcer: parts.peers.broadcaster,
            throttles: throttles,
            clock: parts.clock,
            random: parts.random,
            spans: settings.window
        )
        invites = Invites(sessions: sessions, throttle: CodeThrottle(settings.throttle), random: parts.random)
        onTheWay = OnTheWay(
            sessions: sessions,
            codes: CheckInCodes(key),
            throttle: CodeThrottle(settings.throttle),
            notifications: parts.notifications
        )
        results = Results(
            sessions: sessions,
            archive: parts.archive,
            throttles: throttles,
            clock: parts.clock,
            retention: settings.positionRetention
        )
        administration = PromiseAdministration(sessions: sessions, promises: promises, results: results)
    }
}
