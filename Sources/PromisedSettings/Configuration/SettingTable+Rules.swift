import PromisedDomain

extension ServerSettings {
    static let connectionSettings: [Setting] = [
        Setting(
            "connection.handshake",
            \.connection.handshake,
            .duration(.seconds(1)...(.minutes(2))),
            "Deadline of a handshake; real time, as all of this section."
        ),
        Setting(
            "connection.sign-in",
            \.connection.signIn,
            .duration(.milliseconds(100)...(.minutes(2))),
            "Deadline of the sign-in after the handshake."
        ),
        Setting(
            "connection.ping",
            \.connection.ping,
            .duration(.milliseconds(100)...(.minutes(10))),
            "Time between the server's pings."
        ),
        Setting(
            "connection.silence",
            \.connection.silence,
            .duration(.milliseconds(200)...(.minutes(30))),
            "How long a peer may stay silent; longer than the time between pings."
        ),
        Setting(
            "connection.token-grace",
            \.connection.tokenGrace,
            .duration(.zero...(.minutes(10))),
            "How long a live connection outlives its access token."
        ),
        Setting(
            "drain.deadline",
            \.drain.deadline,
            .duration(.milliseconds(100)...(.seconds(10))),
            "Time for a whole stop; real time."
        ),
        Setting(
            "drain.close-frames",
            \.drain.closeFrames,
            .duration(.zero...(.seconds(3))),
            "How long a stop waits for the clients' close frames; within the deadline."
        ),
        Setting(
            "drain.spread",
            \.drain.spread,
            .duration(.zero...(.seconds(5))),
            "Over how long at most a stop tells the clients, 5000 a second; within the deadline."
        ),
    ]

    static let ruleSettings: [Setting] = [
        Setting(
            "window.before",
            \.window.before,
            .duration(.minutes(1)...(.hours(24))),
            "How long before the meeting time positions begin to flow; also the least notice of a new promise."
        ),
        Setting(
            "window.after",
            \.window.after,
            .duration(.minutes(1)...(.hours(48))),
            "How long after the meeting time positions cease to flow."
        ),
        Setting(
            "window.settle",
            \.window.settle,
            .duration(.seconds(1)...(.hours(24))),
            "How long late uploads are taken after that; then the result is final."
        ),
        Setting(
            "arrival.grace",
            \.arrival.grace,
            .duration(.zero...(.hours(1))),
            "An arrival less than this after the meeting time is on time."
        ),
        Setting(
            "report.interval",
            \.report.interval,
            .duration(.seconds(1)...(.minutes(1))),
            "Time between two reports of a participant."
        ),
        Setting(
            "report.collection",
            \.report.collection,
            .duration(.milliseconds(10)...(.seconds(5))),
            "How long positions are collected before they go out together; real time."
        ),
        Setting(
            "retention.positions",
            \.positionRetention,
            .duration(.zero...(.days(30))),
            "How long raw positions are kept after a result is final."
        ),
    ]

    static let accountSettings: [Setting] = [
        Setting(
            "tokens.access",
            \.tokens.access,
            .duration(.seconds(1)...(.hours(24))),
            "Lifetime of an access token; real time, as all of this section."
        ),
        Setting(
            "tokens.refresh",
            \.tokens.refresh,
            .duration(.minutes(1)...(.days(365))),
            "Lifetime of a refresh token; longer than an access token's."
        ),
        Setting(
            "tokens.overlap",
            \.tokens.overlap,
            .duration(.zero...(.minutes(5))),
            "How long a replaced refresh token is accepted again while its successor is unused."
        ),
        Setting(
            "passwords.scrypt-log2-n",
            \.passwords.cost.log2N,
            .integer(ScryptCost.log2NRange),
            "scrypt's cost N as a power of two; at least 17 in production. Memory per hash: 128 bytes * N * r."
        ),
        Setting(
            "passwords.scrypt-r",
            \.passwords.cost.blockSize,
            .integer(ScryptCost.blockSizeRange),
            "scrypt's block size r; at least 8 in production."
        ),
        Setting(
            "passwords.scrypt-p",
            \.passwords.cost.parallelism,
            .integer(ScryptCost.parallelismRange),
            "scrypt's parallelism p."
        ),
        Setting(
            "passwords.queue",
            \.passwords.queue,
            .integer(0...10_000),
            "Passwords that may wait for one of the two hashing threads; more are refused for the moment."
        ),
        Setting(
            "passwords.queue-per-address",
            \.passwords.queuePerAddress,
            .integer(1...10_000),
            "How many of them of one address (IPv6: /64)."
        ),
        Setting(
            "passwords.queue-per-network",
            \.passwords.queuePerNetwork,
            .integer(1...10_000),
            "How many of them of one /24 (IPv6: /48)."
        ),
    ]
}
