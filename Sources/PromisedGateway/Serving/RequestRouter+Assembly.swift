internal import Logging
internal import PromisedApplication
internal import PromisedEngine
internal import PromisedSettings

extension RequestRouter {
    /// The router of a server's requests to its use cases.
    init(
        _ useCases: some UseCases,
        _ peers: Peers,
        process: any HostProcess,
        settings: ServerSettings,
        clock: any WallClock,
        log: Logger
    ) {
        let promises = PromiseRequests(
            promises: useCases.promises,
            invites: useCases.invites,
            links: useCases.viewLinks,
            outlooks: useCases.weather.outlooks,
            grace: settings.arrival.grace
        )
        let live = LiveRequests(
            onTheWay: useCases.onTheWay,
            links: useCases.viewLinks,
            cards: useCases.cards,
            clock: clock,
            sender: peers.sender
        )
        let results = ResultRequests(results: useCases.results)
        let friends = FriendshipRequests(friendships: useCases.friendships)
        let access = AdminAccess(useCases, peers, clock: clock, settings: settings, log: log)
        self.init(
            accounts: AccountRequests(useCases, peers, clock: clock, settings: settings),
            friends: friends,
            profiles: ProfileRequests(profiles: useCases.profiles),
            promises: promises,
            live: live,
            results: results,
            places: PlaceRequests(useCases),
            notifications: NotificationRequests(notifications: useCases.notifications),
            files: FileRequests(files: useCases.files),
            visits: VisitRequests(visits: useCases.visits),
            folders: FolderRequests(folders: useCases.folders),
            courses: CourseRequests(
                courses: useCases.courses,
                keeping: useCases.courseKeeping,
                exports: useCases.courseFiles
            ),
            recordings: RecordingRequests(recordings: useCases.recordings),
            exports: ExportRequests(exports: useCases.exports),
            access: access,
            admin: AdminRequests(
                users: UserAdministration(useCases, peers, friends, issuer: settings.auth.issuer.name),
                promises: PromiseForms(
                    administration: useCases.promiseAdministration,
                    directory: useCases.userDirectory,
                    promises: promises,
                    results: results,
                    live: live
                ),
                places: PlaceForms(
                    administration: useCases.placeAdministration,
                    imports: useCases.placeImports,
                    weather: useCases.weather
                ),
                courses: CourseForms(courses: useCases.recommendedCourses, files: useCases.files),
                server: ServerAdministration(useCases, peers, process, access),
                process: process
            ),
            traffic: peers.traffic,
            frameLimit: settings.limits.sentFrame
        )
    }
}

extension AccountRequests {
    fileprivate init(_ useCases: some UseCases, _ peers: Peers, clock: any WallClock, settings: ServerSettings) {
        self.init(
            accounts: useCases.accounts,
            deletions: useCases.deletions,
            codes: useCases.signInCodes,
            attempts: useCases.codeAttempts,
            connections: peers.connections,
            sender: peers.sender,
            revocation: peers.revocation,
            clock: clock,
            settings: settings
        )
    }
}

extension PlaceRequests {
    fileprivate init(_ useCases: some UseCases) {
        self.init(
            places: useCases.places,
            favourites: useCases.favourites,
            shareTexts: useCases.shareTexts,
            outlooks: useCases.weather.outlooks,
            profiles: useCases.profiles
        )
    }
}

extension AdminAccess {
    fileprivate init(
        _ useCases: some UseCases,
        _ peers: Peers,
        clock: any WallClock,
        settings: ServerSettings,
        log: Logger
    ) {
        self.init(
            tokens: useCases.adminTokens,
            connections: peers.connections,
            sender: peers.sender,
            revocation: peers.revocation,
            clock: clock,
            settings: settings,
            log: log
        )
    }
}

extension UserAdministration {
    /// - Parameter issuer: the outside issuer's name; nil without one.
    fileprivate init(_ useCases: some UseCases, _ peers: Peers, _ friends: FriendshipRequests, issuer: String?) {
        self.init(
            directory: useCases.userDirectory,
            accounts: useCases.accounts,
            deletions: useCases.deletions,
            friendships: friends,
            connections: peers.connections,
            issuer: issuer ?? "outside"
        )
    }
}

extension ServerAdministration {
    fileprivate init(
        _ useCases: some UseCases,
        _ peers: Peers,
        _ process: any HostProcess,
        _ access: AdminAccess
    ) {
        self.init(
            totals: useCases.totals,
            registry: useCases.sessions,
            connections: peers.connections,
            traffic: peers.traffic,
            process: process,
            startedAt: .now,
            backups: useCases.backups,
            tokens: useCases.adminTokens,
            audit: useCases.audit,
            access: access
        )
    }
}
