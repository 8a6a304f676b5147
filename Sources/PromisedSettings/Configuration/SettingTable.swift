import PromisedDomain

extension ServerSettings {
    /// Every setting, in the order of the commented example file; keys are unique.
    ///
    /// The single list for reading, checking, printing and documenting values.
    package static let settings: [Setting] =
        surroundings + listenSettings + tlsSettings + webSettings + metricsSettings + runSettings + limitSettings
        + throttleSettings + connectionSettings + ruleSettings
        + accountSettings + authSettings

    private static let surroundings: [Setting] = [
        Setting(
            "environment",
            \.environment,
            .choice(),
            "What the server is run for; production refuses cheap passwords and a scaled clock."
        ),
        Setting("data.directory", \.dataDirectory, .text, "Folder of the database, its lock and the signing key."),
        Setting(
            "data.write-behind",
            \.writeBehind,
            .duration(.milliseconds(50)...(.seconds(5))),
            "Longest time a position waits in memory (lost in a crash); real time."
        ),
        Setting(
            "backup.directory",
            \.backup.directory,
            .optionalText,
            "Folder that backups of a running server must be below (none: anywhere)."
        ),
    ]

    private static let webSettings: [Setting] = [
        Setting(
            "web.origins",
            \.web.origins,
            .origins,
            "Origins of browsers that may connect; none: only pages of the same host."
        ),
        Setting("web.enabled", \.web.isEnabled, .toggle, "Whether the server shows the live map page at /."),
        Setting(
            "web.directory",
            \.web.directory,
            .optionalText,
            "Folder of the page's files; none: those that came with the server."
        ),
        Setting("web.leaflet", \.web.leaflet, .text, "Folder of Leaflet, which draws the map (Debian: libjs-leaflet)."),
        Setting(
            "web.tiles",
            \.web.tiles,
            .tiles,
            "Map tiles of another host, which then learns where people look; none: a plain grid."
        ),
        Setting(
            "web.tiles-attribution",
            \.web.tilesAttribution,
            .optionalText,
            "Who made the tiles, shown on the map as plain text."
        ),
    ]

    private static let runSettings: [Setting] = [
        Setting("log.level", \.log.level, .choice(), "Least important level that is written."),
        Setting("log.format", \.log.format, .choice(), "Lines for people (text) or for machines (json)."),
        Setting(
            "clock.rate",
            \.clock.rate,
            .decimal(0.1...10_000),
            "Seconds of the server's clock per real second; anything but 1 in development only."
        ),
        Setting(
            "clock.start",
            \.clock.start,
            .instant,
            "What the server's clock shows at start (real: the time of day); development only."
        ),
    ]

    private static let limitSettings: [Setting] = [
        Setting(
            "limits.connections",
            \.limits.connections,
            .integer(1...1_000_000),
            "Open connections; never more than the limit of open files less 256."
        ),
        Setting(
            "limits.connections-per-user",
            \.limits.connectionsPerUser,
            .integer(1...100),
            "Open connections of one user, and of one administrator's token; the oldest goes."
        ),
        Setting(
            "limits.sessions-per-user",
            \.limits.sessionsPerUser,
            .integer(5...1_000),
            "Sign-in sessions of one user that are kept; the oldest ends."
        ),
        Setting(
            "limits.connections-before-sign-in",
            \.limits.connectionsBeforeSignIn,
            .integer(1...1_000_000),
            "Open connections of one address (IPv6: /64) on which nobody has signed in; more are refused."
        ),
        Setting("limits.frame", \.limits.frame, .size(4_096...1_048_576), "Largest frame a client may send."),
        Setting(
            "limits.frame-before-sign-in",
            \.limits.frameBeforeSignIn,
            .size(1_024...65_536),
            "Largest frame before the sign-in."
        ),
        Setting(
            "limits.requests-before-sign-in",
            \.limits.requestsBeforeSignIn,
            .integer(1...100),
            "Requests before the sign-in."
        ),
        Setting(
            "limits.sent-frame",
            \.limits.sentFrame,
            .size(245_760...262_144),
            "Largest frame the server sends; longer pages end early."
        ),
        Setting(
            "limits.request-rate",
            \.limits.requestRate,
            .integer(1...10_000),
            "Requests per second of one connection."
        ),
        Setting(
            "limits.request-burst",
            \.limits.requestBurst,
            .integer(1...100_000),
            "Requests of one connection in one moment."
        ),
        Setting(
            "limits.refused-requests",
            \.limits.refusedRequests,
            .integer(1...10_000),
            "Requests beyond the rate, within the window below, that close a connection."
        ),
        Setting(
            "limits.refused-window",
            \.limits.refusedWindow,
            .duration(.seconds(1)...(.minutes(10))),
            "Span in which requests beyond the rate are counted."
        ),
        Setting(
            "limits.fix-rate",
            \.limits.fixes.perSecond,
            .integer(1...1_000),
            "Positions per second of one participant."
        ),
        Setting(
            "limits.fix-burst",
            \.limits.fixes.burst,
            .integer(PromisedDomain.Report.fixLimit...100_000),
            "Positions of one participant in one moment; no less than a report may hold."
        ),
        Setting(
            "limits.fix-spacing",
            \.limits.fixes.spacing,
            .duration(.zero...(.seconds(1))),
            "Of a device's positions nearer than this to one another only the first is applied."
        ),
        Setting(
            "limits.held-fixes",
            \.limits.fixes.held,
            .integer(600...10_000),
            "Positions of a device that are held in memory; later ones than the oldest of them need no look into storage."
        ),
        Setting(
            "limits.recall-interval",
            \.limits.fixes.recallInterval,
            .duration(.seconds(1)...(.minutes(1))),
            "Time between two looks into storage for a device whose positions turn up late."
        ),
        Setting(
            "limits.kept-fixes",
            \.limits.fixes.kept,
            .integer(1_000...1_000_000),
            "Positions that are kept of one participant in one promise."
        ),
        Setting(
            "limits.outbox-frames",
            \.limits.outboxFrames,
            .integer(16...1_000_000),
            "Frames waiting for one connection before it counts as too slow."
        ),
        Setting(
            "limits.outbox-bytes",
            \.limits.outboxBytes,
            .size(262_144...67_108_864),
            "Bytes waiting for one connection before it counts as too slow."
        ),
        Setting(
            "limits.all-outbox-bytes",
            \.limits.allOutboxBytes,
            .size(16_777_216...68_719_476_736),
            "Bytes waiting for all connections together before those with most count as too slow."
        ),
    ]

    private static let throttleSettings: [Setting] = [
        Setting(
            "throttle.handshakes",
            \.throttle.handshakes,
            .integer(1...100_000),
            "Handshakes per address and second."
        ),
        Setting("throttle.sign-ups", \.throttle.signUps, .integer(1...100_000), "Sign-ups per address and hour."),
        Setting(
            "throttle.sign-in-window",
            \.throttle.signInWindow,
            .duration(.minutes(1)...(.hours(24))),
            "Span in which failed sign-ins are counted; real time."
        ),
        Setting(
            "throttle.sign-ins-per-account-and-address",
            \.throttle.signInsPerAccountAndAddress,
            .integer(1...100_000),
            "Failed sign-ins of one address on one account within that span."
        ),
        Setting(
            "throttle.sign-ins-per-account",
            \.throttle.signInsPerAccount,
            .integer(1...100_000),
            "Failed sign-ins on one account from all addresses within that span."
        ),
        Setting(
            "throttle.sign-ins-per-address",
            \.throttle.signInsPerAddress,
            .integer(1...100_000),
            "Failed sign-ins of one address on all accounts within that span."
        ),
        Setting(
            "throttle.code-window",
            \.throttle.codeWindow,
            .duration(.minutes(1)...(.hours(24))),
            "Span in which wrong invite and check-in codes are counted; real time."
        ),
        Setting(
            "throttle.wrong-codes",
            \.throttle.wrongCodes,
            .integer(1...100_000),
            "Wrong codes of one user within that span, counted apart for invitations and check-ins."
        ),
        Setting("throttle.find", \.throttle.find, .integer(1...100_000), "Nicknames one user may look up per minute."),
        Setting(
            "throttle.explanations",
            \.throttle.explanations,
            .integer(1...100_000),
            "Pages of explanations one user may ask for per minute; real time."
        ),
        Setting(
            "throttle.refreshes",
            \.throttle.refreshes,
            .integer(1...100_000),
            "Refreshes of one session per minute; real time."
        ),
        Setting(
            "throttle.factor-56",
            \.throttle.factor56,
            .integer(1...256),
            "How many times the limits of an address an IPv6 /56 has; an address is a /64."
        ),
        Setting(
            "throttle.factor-48",
            \.throttle.factor48,
            .integer(1...65_536),
            "How many times the limits of an address an IPv6 /48 has."
        ),
        Setting(
            "throttle.promises",
            \.throttle.promises,
            .integer(1...100_000),
            "Promises one user may make within 24 hours, cancelled ones included; real time."
        ),
        Setting(
            "throttle.memory",
            \.throttle.memory,
            .integer(1_000...10_000_000),
            "Addresses or accounts each counter remembers; the longest known is forgotten first."
        ),
    ]
}
