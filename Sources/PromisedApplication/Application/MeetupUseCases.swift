internal import PromisedAccess
internal import PromisedSettings

/// Promises, from their creation to their results.
package struct MeetupUseCases: Sendable {
    package let promises: Promises
    package let invites: Invites
    package let previews: InvitePreviews
    package let links: ViewLinks
    package let liveActions: LiveActions
    package let results: Results
    package let administration: PromiseAdministration

    init(_ ports: ApplicationPorts, _ core: ApplicationCore) {
        let (settings, sessions) = (ports.settings, core.sessions)
        promises = Promises(
            sessions: sessions,
            engine: core.engine,
            announcer: ports.connections.news,
            throttles: core.throttles,
            clock: ports.clock,
            random: ports.random,
            spans: settings.window
        )
        invites = Invites(sessions: sessions, throttle: CodeThrottle(settings.throttle), random: ports.random)
        previews = InvitePreviews(
            sessions: sessions,
            attempts: CodeAttempts(settings.throttle),
            openings: core.openings,
            clock: ports.clock
        )
        links = ViewLinks(sessions: sessions, attempts: core.codeAttempts, random: ports.random)
        liveActions = LiveActions(
            sessions: sessions,
            codes: CheckInCodes(ports.key),
            throttle: CodeThrottle(settings.throttle),
            notifications: ports.connections.notifications
        )
        results = Results(
            sessions: sessions,
            archive: core.archive,
            throttles: core.throttles,
            clock: ports.clock,
            retention: settings.positionRetention
        )
        administration = PromiseAdministration(sessions: sessions, promises: promises, results: results)
    }
}
