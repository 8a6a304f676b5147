import PromisedDomain

extension ServerSettings {
    static let connectionSettings: [Setting] = [
        Setting(
            "connection.handshake",
            \.connection.handshake,
            .duration(.seconds(1)...(.minutes(2))),
            "Timeout of a handshake; real time, like this whole section."
        ),
        Setting(
            "connection.sign-in",
            \.connection.signIn,
            .duration(.milliseconds(100)...(.minutes(2))),
            "Timeout of the sign-in after the handshake."
        ),
        Setting(
            "connection.ping",
            \.connection.ping,
            .duration(.milliseconds(100)...(.minutes(10))),
            "Interval of the server's pings."
        ),
        Setting(
            "connection.silence",
            \.connection.silence,
            .duration(.milliseconds(200)...(.minutes(30))),
            "The server closes a connection after this time without traffic from the client; longer than the ping interval."
        ),
        Setting(
            "connection.token-grace",
            \.connection.tokenGrace,
            .duration(.zero...(.minutes(10))),
            "The server closes a connection this long after its access token expires."
        ),
        Setting(
            "drain.deadline",
            \.drain.deadline,
            .duration(.milliseconds(100)...(.seconds(10))),
            "Timeout of the whole shutdown; real time."
        ),
        Setting(
            "drain.close-frames",
            \.drain.closeFrames,
            .duration(.zero...(.seconds(3))),
            "Time that a shutdown waits for the clients' close frames; part of the deadline."
        ),
        Setting(
            "drain.spread",
            \.drain.spread,
            .duration(.zero...(.seconds(5))),
            "Longest time over which a shutdown closes the connections, 5000 a second; part of the deadline."
        ),
    ]

    static let ruleSettings: [Setting] = [
        Setting(
            "window.before",
            \.window.before,
            .duration(.minutes(1)...(.hours(24))),
            "The window opens this long before the meeting time; a new promise needs at least this notice."
        ),
        Setting(
            "window.after",
            \.window.after,
            .duration(.minutes(1)...(.hours(48))),
            "The window closes this long after the meeting time."
        ),
        Setting(
            "window.settle",
            \.window.settle,
            .duration(.seconds(1)...(.hours(24))),
            "The server accepts late uploads this long after the window; then the result is final."
        ),
        Setting(
            "arrival.grace",
            \.arrival.grace,
            .duration(.zero...(.hours(1))),
            "Grace: an arrival less than this after the meeting time is on time."
        ),
        Setting(
            "report.interval",
            \.report.interval,
            .duration(.seconds(1)...(.minutes(1))),
            "Interval of a participant's reports."
        ),
        Setting(
            "report.collection",
            \.report.collection,
            .duration(.milliseconds(10)...(.seconds(5))),
            "Time for which the server collects positions to send them as one frame; real time."
        ),
        Setting(
            "retention.positions",
            \.positionRetention,
            .duration(.zero...(.days(30))),
            "Retention of raw positions after the result is final."
        ),
    ]

    static let accountSettings: [Setting] = [
        Setting(
            "tokens.access",
            \.tokens.access,
            .duration(.seconds(1)...(.hours(24))),
            "Lifetime of an access token; real time, like this whole section."
        ),
        Setting(
            "tokens.refresh",
            \.tokens.refresh,
            .duration(.minutes(1)...(.days(365))),
            "Lifetime of a refresh token; longer than that of an access token."
        ),
        Setting(
            "tokens.overlap",
            \.tokens.overlap,
            .duration(.zero...(.minutes(5))),
            "Time for which a replaced refresh token remains valid while its successor is unused."
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
            "Passwords that may wait for one of the two hashing threads; the server refuses more for the moment."
        ),
        Setting(
            "passwords.queue-per-address",
            \.passwords.queuePerAddress,
            .integer(1...10_000),
            "Waiting passwords from one address (IPv6: /64)."
        ),
        Setting(
            "passwords.queue-per-network",
            \.passwords.queuePerNetwork,
            .integer(1...10_000),
            "Waiting passwords from one /24 (IPv6: /48)."
        ),
    ]
}
