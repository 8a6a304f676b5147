internal import PromisedApplication
internal import PromisedEngine
internal import PromisedSettings

// The faces of an application's use cases: what requests call.
extension RequestRouter {
    /// - Parameters:
    ///   - clockCheck: compares the machine's clocks since the start.
    ///   - integrity: the state of the database file.
    init(
        _ application: Application,
        _ clients: ClientConnections,
        _ context: ServerContext,
        clockCheck: ClockCheck,
        integrity: IntegrityWatch
    ) {
        let frameLimit = context.settings.limits.sentFrame
        let (people, journal) = (application.people, application.journal)
        let access = AdminAccess(application, clients, context)
        let faces = SharedFaces(application, clients, context)
        self.init(
            accounts: AccountRequests(application, clients, context),
            friends: faces.friends,
            profiles: ProfileRequests(profiles: people.profiles),
            promises: faces.promises,
            live: faces.live,
            results: faces.results,
            places: PlaceRequests(application, frameLimit: frameLimit),
            notifications: NotificationRequests(notifications: people.notifications, frameLimit: frameLimit),
            files: FileRequests(files: application.core.files),
            visits: VisitRequests(visits: journal.visits, frameLimit: frameLimit),
            folders: FolderRequests(folders: journal.folders),
            courses: CourseRequests(
                courses: journal.courses,
                keeping: journal.keeping,
                exports: journal.courseFiles,
                frameLimit: frameLimit
            ),
            recordings: RecordingRequests(recordings: journal.recordings),
            exports: ExportRequests(exports: journal.exports),
            access: access,
            admin: AdminRequests(application, clients, context, faces, access, clockCheck, integrity),
            traffic: clients.traffic
        )
    }
}

/// The faces that users' requests and administrators' forms share.
private struct SharedFaces {
    let friends: FriendshipRequests
    let promises: PromiseRequests
    let live: LiveRequests
    let results: ResultRequests

    init(_ application: Application, _ clients: ClientConnections, _ context: ServerContext) {
        let (settings, meetups) = (context.settings, application.meetups)
        let frameLimit = settings.limits.sentFrame
        friends = FriendshipRequests(friendships: application.people.friendships, frameLimit: frameLimit)
        promises = PromiseRequests(
            promises: meetups.promises,
            invites: meetups.invites,
            links: meetups.links,
            outlooks: application.places.weather.outlooks,
            grace: settings.arrival.grace,
            frameLimit: frameLimit
        )
        live = LiveRequests(
            onTheWay: meetups.onTheWay,
            links: meetups.links,
            cards: clients.cards,
            clock: context.clock,
            sender: clients.sender
        )
        results = ResultRequests(results: meetups.results, frameLimit: frameLimit)
    }
}

extension AccountRequests {
    fileprivate init(_ application: Application, _ clients: ClientConnections, _ context: ServerContext) {
        self.init(
            accounts: application.accounts.accounts,
            deletions: application.accounts.deletions,
            codes: application.accounts.signInCodes,
            attempts: application.core.codeAttempts,
            connections: clients.connections,
            sender: clients.sender,
            revocation: clients.revocation,
            clock: context.clock,
            settings: context.settings
        )
    }
}

extension PlaceRequests {
    fileprivate init(_ application: Application, frameLimit: Int) {
        let places = application.places
        self.init(
            places: places.places,
            favourites: places.favourites,
            shareTexts: places.shareTexts,
            outlooks: places.weather.outlooks,
            profiles: application.people.profiles,
            frameLimit: frameLimit
        )
    }
}

extension AdminAccess {
    fileprivate init(_ application: Application, _ clients: ClientConnections, _ context: ServerContext) {
        self.init(
            tokens: application.administration.tokens,
            connections: clients.connections,
            sender: clients.sender,
            revocation: clients.revocation,
            clock: context.clock,
            settings: context.settings,
            log: context.log
        )
    }
}

extension AdminRequests {
    fileprivate init(
        _ application: Application,
        _ clients: ClientConnections,
        _ context: ServerContext,
        _ faces: SharedFaces,
        _ access: AdminAccess,
        _ clockCheck: ClockCheck,
        _ integrity: IntegrityWatch
    ) {
        let (settings, core, places) = (context.settings, application.core, application.places)
        let frameLimit = settings.limits.sentFrame
        self.init(
            users: UserAdministration(application, clients, faces, issuer: settings.auth.issuer.name ?? "outside"),
            promises: PromiseForms(
                administration: application.meetups.administration,
                directory: application.accounts.directory,
                promises: faces.promises,
                results: faces.results,
                live: faces.live
            ),
            places: PlaceForms(
                administration: places.administration,
                imports: places.imports,
                weather: places.weather,
                frameLimit: frameLimit
            ),
            courses: CourseForms(courses: application.journal.recommended, files: core.files, frameLimit: frameLimit),
            server: ServerAdministration(application, clients, access),
            health: HealthAdministration(
                store: core.store,
                files: core.files,
                settings: settings,
                clock: clockCheck,
                integrity: integrity
            )
        )
    }
}

extension UserAdministration {
    fileprivate init(_ application: Application, _ clients: ClientConnections, _ faces: SharedFaces, issuer: String) {
        self.init(
            directory: application.accounts.directory,
            accounts: application.accounts.accounts,
            deletions: application.accounts.deletions,
            friendships: faces.friends,
            connections: clients.connections,
            issuer: issuer
        )
    }
}

extension ServerAdministration {
    fileprivate init(_ application: Application, _ clients: ClientConnections, _ access: AdminAccess) {
        self.init(
            store: application.core.store,
            files: application.core.files,
            registry: application.core.engine.registry,
            connections: clients.connections,
            traffic: clients.traffic,
            startedAt: .now,
            backups: application.administration.backups,
            tokens: application.administration.tokens,
            audit: application.administration.audit,
            access: access
        )
    }
}
