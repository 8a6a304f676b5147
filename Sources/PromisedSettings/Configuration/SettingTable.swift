import PromisedDomain

extension ServerSettings {
    /// Every setting, in the order of the commented example file; keys are unique.
    ///
    /// The single list for reading, checking, printing and documenting values.
    package static let settings: [Setting] =
        surroundings + listenSettings + tlsSettings + webSettings + linkSettings
        + metricsSettings + runSettings + limitSettings
        + throttleSettings + connectionSettings + ruleSettings + placeSettings + weatherSettings + fileSettings
        + accountSettings + authSettings

    private static let surroundings: [Setting] = [
        Setting(
            "environment",
            \.environment,
            .choice(),
            "Mode of operation; production refuses weak password hashing and a scaled clock."
        ),
        Setting("data.directory", \.dataDirectory, .text, "Folder of the database, its lock file and the signing key."),
        Setting(
            "data.write-behind",
            \.writeBehind,
            .duration(.milliseconds(50)...(.seconds(5))),
            "Longest time that a position stays in memory alone, to be lost in a crash; real time."
        ),
        Setting(
            "backup.directory",
            \.backup.directory,
            .optionalText,
            "Folder that must contain the backups of a running server; none: anywhere."
        ),
    ]

    private static let webSettings: [Setting] = [
        Setting(
            "web.origins",
            \.web.origins,
            .origins,
            "Origins of web pages that may connect; none: only pages of the same host."
        ),
        Setting("web.enabled", \.web.isEnabled, .toggle, "True: the server serves the live map page at /."),
        Setting(
            "web.directory",
            \.web.directory,
            .optionalText,
            "Folder of the page's files; none: the files of the installation."
        ),
        Setting(
            "web.leaflet",
            \.web.leaflet,
            .text,
            "Folder of Leaflet, the map library (Debian: libjs-leaflet)."
        ),
        Setting(
            "web.qr-codes",
            \.web.qrCodes,
            .text,
            "Folder of the library for QR codes (Debian: node-qrcode-generator)."
        ),
        Setting(
            "web.tiles",
            \.web.tiles,
            .tiles,
            """
            Map tiles: a raster MBTiles file, or another host, which thereby learns the areas that users view; \
            none: an outline of the world.
            """
        ),
        Setting(
            "web.tiles-attribution",
            \.web.tilesAttribution,
            .optionalText,
            "Attribution of the tiles, shown on the map as plain text; none: that of the MBTiles file."
        ),
    ]

    private static let runSettings: [Setting] = [
        Setting("log.level", \.log.level, .choice(), "Lowest level that is logged."),
        Setting(
            "log.format",
            \.log.format,
            .choice(),
            "Format of log lines: for people (text) or for machines (json)."
        ),
        Setting(
            "clock.rate",
            \.clock.rate,
            .decimal(0.1...10_000),
            "Seconds of the server's clock per real second; values other than 1 need development mode."
        ),
        Setting(
            "clock.start",
            \.clock.start,
            .instant,
            "Initial time of the server's clock (real: the time of day); other values need development mode."
        ),
    ]

    private static let limitSettings: [Setting] = [
        Setting(
            "limits.connections",
            \.limits.connections,
            .integer(1...1_000_000),
            "Open connections; at most the limit of open files minus 256."
        ),
        Setting(
            "limits.connections-per-user",
            \.limits.connectionsPerUser,
            .integer(1...100),
            "Open connections of one user, and of one administrator's token; a further one closes the oldest."
        ),
        Setting(
            "limits.sessions-per-user",
            \.limits.sessionsPerUser,
            .integer(5...1_000),
            "Sign-in sessions of one user; a further one ends the oldest."
        ),
        Setting(
            "limits.connections-before-sign-in",
            \.limits.connectionsBeforeSignIn,
            .integer(1...1_000_000),
            "Open connections of one address (IPv6: /64) before their sign-in; the server refuses more."
        ),
        Setting("limits.frame", \.limits.frame, .size(4_096...1_048_576), "Largest frame that a client may send."),
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
            "Largest frame that the server sends; it shortens longer pages."
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
            "Requests of one connection at once."
        ),
        Setting(
            "limits.refused-requests",
            \.limits.refusedRequests,
            .integer(1...10_000),
            "Requests above the rate, within the window below, after which the server closes the connection."
        ),
        Setting(
            "limits.refused-window",
            \.limits.refusedWindow,
            .duration(.seconds(1)...(.minutes(10))),
            "Period over which the server counts requests above the rate."
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
            "Positions of one participant at once; at least the number that a report may hold."
        ),
        Setting(
            "limits.fix-spacing",
            \.limits.fixes.spacing,
            .duration(.zero...(.seconds(1))),
            "Shortest time between two positions of a device; of closer ones the server applies only the first."
        ),
        Setting(
            "limits.held-fixes",
            \.limits.fixes.held,
            .integer(600...10_000),
            "Positions of a device that the server keeps in memory; only late positions older than these need storage."
        ),
        Setting(
            "limits.recall-interval",
            \.limits.fixes.recallInterval,
            .duration(.seconds(1)...(.minutes(1))),
            "Shortest time between two reads of storage for a device whose positions arrive late."
        ),
        Setting(
            "limits.kept-fixes",
            \.limits.fixes.kept,
            .integer(1_000...1_000_000),
            "Stored positions of one participant in one promise."
        ),
        Setting(
            "limits.outbox-frames",
            \.limits.outboxFrames,
            .integer(16...1_000_000),
            "Queued frames after which a connection counts as too slow."
        ),
        Setting(
            "limits.outbox-bytes",
            \.limits.outboxBytes,
            .size(262_144...67_108_864),
            "Queued bytes after which a connection counts as too slow."
        ),
        Setting(
            "limits.all-outbox-bytes",
            \.limits.allOutboxBytes,
            .size(16_777_216...68_719_476_736),
            "Queued bytes of all connections after which those with the most count as too slow."
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
            "Period over which the server counts failed sign-ins; real time."
        ),
        Setting(
            "throttle.sign-ins-per-account-and-address",
            \.throttle.signInsPerAccountAndAddress,
            .integer(1...100_000),
            "Failed sign-ins from one address to one account within that period."
        ),
        Setting(
            "throttle.sign-ins-per-account",
            \.throttle.signInsPerAccount,
            .integer(1...100_000),
            "Failed sign-ins from all addresses to one account within that period."
        ),
        Setting(
            "throttle.sign-ins-per-address",
            \.throttle.signInsPerAddress,
            .integer(1...100_000),
            "Failed sign-ins from one address to all accounts within that period."
        ),
        Setting(
            "throttle.code-window",
            \.throttle.codeWindow,
            .duration(.minutes(1)...(.hours(24))),
            "Period over which the server counts wrong invite and check-in codes; real time."
        ),
        Setting(
            "throttle.wrong-codes",
            \.throttle.wrongCodes,
            .integer(1...100_000),
            "Wrong codes of one user within that period, counted separately for invitations and check-ins."
        ),
        Setting(
            "throttle.find",
            \.throttle.find,
            .integer(1...100_000),
            "Nicknames that one user, or before the sign-in one address, may look up per minute."
        ),
        Setting(
            "throttle.explanations",
            \.throttle.explanations,
            .integer(1...100_000),
            "Pages of explanations that one user may request per minute; real time."
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
            "Multiple of the limits of one address (a /64) that applies to an IPv6 /56."
        ),
        Setting(
            "throttle.factor-48",
            \.throttle.factor48,
            .integer(1...65_536),
            "Multiple of the limits of one address that applies to an IPv6 /48."
        ),
        Setting(
            "throttle.promises",
            \.throttle.promises,
            .integer(1...100_000),
            "Promises that one user may create within 24 hours, including cancelled ones; real time."
        ),
        Setting(
            "throttle.memory",
            \.throttle.memory,
            .integer(1_000...10_000_000),
            "Addresses or accounts that each counter tracks; a further one replaces the oldest."
        ),
    ]
}
