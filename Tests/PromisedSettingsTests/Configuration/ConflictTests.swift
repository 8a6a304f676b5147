import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedSettings

/// Values that are each allowed but not together.
@Suite struct ConflictTests {
    struct Case: Sendable {
        let assignments: [String]
        /// The conflicting keys; empty for none.
        let keys: [String]
    }

    @Test(
        .proves("2.3", "6.9"),
        arguments: [
            // A frame before the sign-in is no larger than one after it.
            Case(assignments: ["limits.frame=8KiB", "limits.frame-before-sign-in=8KiB"], keys: []),
            Case(
                assignments: ["limits.frame=8KiB", "limits.frame-before-sign-in=8193"],
                keys: ["limits.frame-before-sign-in"]
            ),
            // Each thread's share of all outboxes holds a full one.
            Case(
                assignments: ["limits.outbox-bytes=16MiB", "limits.all-outbox-bytes=32MiB", "listen.threads=2"],
                keys: []
            ),
            Case(
                assignments: ["limits.outbox-bytes=16777217", "limits.all-outbox-bytes=32MiB", "listen.threads=2"],
                keys: ["limits.all-outbox-bytes"]
            ),
            // Silence outlasts the time between pings.
            Case(assignments: ["connection.ping=1s", "connection.silence=1001ms"], keys: []),
            Case(assignments: ["connection.ping=1s", "connection.silence=1s"], keys: ["connection.silence"]),
            // Notifying the clients and waiting for their close frames is part of the stop.
            Case(assignments: ["drain.deadline=5s"], keys: []),
            Case(assignments: ["drain.deadline=4999ms"], keys: ["drain.close-frames"]),
            Case(assignments: ["drain.deadline=4s", "drain.spread=1s"], keys: []),
            // The grace ends no later than the window.
            Case(assignments: ["arrival.grace=599s", "window.after=10m"], keys: []),
            Case(assignments: ["arrival.grace=10m", "window.after=10m"], keys: []),
            Case(assignments: ["arrival.grace=601s", "window.after=10m"], keys: ["arrival.grace"]),
            // A certificate and its key belong together.
            Case(assignments: ["tls.certificate=a.pem"], keys: ["tls.key"]),
            Case(assignments: ["tls.key=a.pem"], keys: ["tls.certificate"]),
            Case(assignments: ["tls.certificate=a.pem", "tls.key=a.pem"], keys: []),
            // A refresh token outlives an access token.
            Case(assignments: ["tokens.access=1m", "tokens.refresh=1m"], keys: ["tokens.refresh"]),
            Case(assignments: ["tokens.access=59s", "tokens.refresh=1m"], keys: []),
            // One gibibyte for one hash.
            Case(assignments: ["passwords.scrypt-log2-n=20"], keys: []),
            Case(
                assignments: ["passwords.scrypt-log2-n=20", "passwords.scrypt-r=9"],
                keys: ["passwords.scrypt-log2-n"]
            ),
            // Accounts of an issuer need a key of it.
            Case(assignments: ["auth.accounts=issuer"], keys: ["auth.accounts"]),
            Case(assignments: ["auth.accounts=issuer", "auth.issuer.name=x"], keys: ["auth.accounts"]),
            Case(assignments: ["auth.accounts=issuer", "auth.issuer.eddsa=keys.pem"], keys: []),
            // Weather providers need their requirements.
            Case(assignments: ["weather.providers=open-meteo", "weather.air=open-meteo"], keys: []),
            Case(assignments: ["weather.providers=kma"], keys: ["weather.key-file"]),
            Case(assignments: ["weather.providers=kma", "weather.key-file=keys"], keys: []),
            Case(assignments: ["weather.providers=open-meteo,met-norway"], keys: ["weather.contact"]),
            Case(assignments: ["weather.providers=met-norway", "weather.contact=ops@meet.example"], keys: []),
            Case(assignments: ["weather.providers=recorded"], keys: ["weather.url"]),
            Case(
                assignments: ["weather.providers=recorded,open-meteo", "weather.url=recorded=sky"],
                keys: ["weather.providers"]
            ),
            Case(
                assignments: ["weather.providers=recorded", "weather.url=recorded=sky", "weather.air=open-meteo"],
                keys: ["weather.air"]
            ),
            Case(assignments: ["weather.air=open-meteo"], keys: ["weather.air"]),
            // On a scaled or moved clock only recorded replies.
            Case(assignments: ["weather.providers=open-meteo", "clock.rate=60"], keys: ["weather.providers"]),
            Case(
                assignments: ["weather.providers=open-meteo", "clock.start=2026-01-01T00:00:00Z"],
                keys: ["weather.providers"]
            ),
            Case(assignments: ["weather.providers=recorded", "weather.url=recorded=sky", "clock.rate=60"], keys: []),
            // Production.
            Case(assignments: ["environment=production"], keys: []),
            Case(assignments: ["environment=production", "clock.rate=1.5"], keys: ["clock.rate"]),
            Case(assignments: ["environment=production", "clock.start=2026-01-01T00:00:00Z"], keys: ["clock.start"]),
            Case(
                assignments: ["environment=production", "passwords.scrypt-log2-n=16"],
                keys: ["passwords.scrypt-log2-n"]
            ),
            Case(assignments: ["environment=production", "passwords.scrypt-r=7"], keys: ["passwords.scrypt-r"]),
            Case(assignments: ["passwords.scrypt-log2-n=4", "passwords.scrypt-r=1", "clock.rate=600"], keys: []),
        ]
    )
    func `rejects conflicting settings`(row: Case) throws {
        let loader = ConfigurationLoader(commandLine: .init(assignments: row.assignments))
        guard !row.keys.isEmpty else {
            _ = try loader.load()
            return
        }
        let error = try #require(throws: ConfigurationError.self) { try loader.load() }
        let keys = error.problems.map { problem -> String? in
            guard case .conflict(let key, _, _, _) = problem else { return nil }
            return key
        }
        #expect(keys == row.keys)
    }

    @Test func `the error of a conflict has the value's source`() throws {
        let environment = ["PROMISED_CLOCK_RATE": "600", "PROMISED_ENVIRONMENT": "production"]
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationLoader(environment: environment).load()
        }
        let line = "clock.rate: \"600\" (environment PROMISED_CLOCK_RATE) is not allowed; expected 1 in production"
        #expect(error.description == line)
    }
}
