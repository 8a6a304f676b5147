internal import Logging
internal import PromisedApplication
internal import PromisedEngine
internal import PromisedSettings

extension RequestRouter {
    /// The faces of an application's use cases.
    init(
        _ application: Application,
        _ peers: Peers,
        process: any HostProcess,
        settings: ServerSettings,
        clock: any WallClock,
        log: Logger
    ) {
        let promises = PromiseRequests(
            promises: application.meetups.promises,
            invites: application.meetups.invites,
            links: application.meetups.links,
            outlooks: application.places.weather.outlooks,
            grace: settings.arrival.grace
        )
        let live = LiveRequests(
            liveActions: application.meetups.liveActions,
            links: application.meetups.links,
            cards: peers.ports.cards,
            clock: clock,
            sender: peers.sender
        )
        let results = ResultRequests(results: application.meetups.results)
        let friends = FriendshipRequests(friendships: application.people.friendships)
        let access = AdminAccess(application, peers, clock: clock, settings: settings, log: log)
        self.init(
            accounts: AccountRequests(application, peers, clock: clock, settings: settings),
            friends: friends,
            profiles: ProfileRequests(profiles: application.people.profiles),
            promises: promises,
            live: live,
            results: results,
            places: PlaceRequests(application),
            notifications: NotificationRequests(notifications: application.people.notifications),
            files: FileRequests(files: application.core.files),
            visits: VisitRequests(visits: application.journal.visits),
            folders: FolderRequests(folders: application.journal.folders),
            courses: CourseRequests(
                courses: application.journal.courses,
                keeping: application.journal.keeping,
                exports: application.journal.courseFiles
            ),
            recordings: RecordingRequests(recordings: application.journal.recordings),
            exports: ExportRequests(exports: application.journal.exports),
            access: access,
            admin: AdminRequests(
                users: UserForms(application, peers, friends, issuer: settings.auth.issuer.name),
                promises: PromiseForms(
                    administration: application.meetups.administration,
                    users: application.accounts.administration,
                    promises: promises,
                    results: results,
                    live: live
                ),
                places: PlaceForms(
                    administration: application.places.administration,
                    imports: application.places.imports,
                    weather: application.places.weather
                ),
                courses: CourseForms(courses: application.journal.recommended, files: application.core.files),
                server: ServerForms(application, peers, process, access),
                process: process
            ),
            traffic: peers.traffic,
            frameLimit: settings.limits.sentFrame
        )
    }
}

extension AccountRequests {
    fileprivate init(_ application: Application, _ peers: Peers, clock: any WallClock, settings: ServerSettings) {
        self.init(
            accounts: application.accounts.accounts,
            deletions: application.accounts.deletions,
            codes: application.accounts.signInCodes,
            attempts: application.core.codeAttempts,
            connections: peers.connections,
            sender: peers.sender,
            revocation: peers.revocation,
            clock: clock,
            settings: settings
        )
    }
}

extension PlaceRequests {
    fileprivate init(_ application: Application) {
        self.init(
            places: application.places.places,
            favourites: application.places.favourites,
            shareTexts: application.places.shareTexts,
            outlooks: application.places.weather.outlooks,
            profiles: application.people.profiles
        )
    }
}

extension AdminAccess {
    fileprivate init(
        _ application: Application,
        _ peers: Peers,
        clock: any WallClock,
        settings: ServerSettings,
        log: Logger
    ) {
        self.init(
            tokens: application.administration.tokens,
            connections: peers.connections,
            sender: peers.sender,
            revocation: peers.revocation,
            clock: clock,
            settings: settings,
            log: log
        )
    }
}

extension UserForms {
    /// - Parameter issuer: the outside issuer's name; nil without one.
    fileprivate init(_ application: Application, _ peers: Peers, _ friends: FriendshipRequests, issuer: String?) {
        self.init(
            users: application.accounts.administration,
            accounts: application.accounts.accounts,
            deletions: application.accounts.deletions,
            friendships: friends,
            connections: peers.connections,
            issuer: issuer ?? "outside"
        )
    }
}

extension ServerForms {
    fileprivate init(
        _ application: Application,
        _ peers: Peers,
        _ process: any HostProcess,
        _ access: AdminAccess
    ) {
        self.init(
            totals: application.administration.totals,
            registry: application.core.engine.registry,
            connections: peers.connections,
            traffic: peers.traffic,
            process: process,
            startedAt: .now,
            backups: application.administration.backups,
            tokens: application.administration.tokens,
            audit: application.administration.audit,
            access: access
        )
    }
}
