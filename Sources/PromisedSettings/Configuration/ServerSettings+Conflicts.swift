import PromisedDomain

extension ServerSettings {
    /// The keys whose values are valid alone but conflict, with the reason as a sentence without full stop.
    static func conflicts(in configuration: ServerSettings) -> [(key: String, reason: String)] {
        configuration.relationConflicts + configuration.weatherConflicts + configuration.productionConflicts
    }

    private var relationConflicts: [(key: String, reason: String)] {
        var found: [(key: String, reason: String)] = []
        func require(_ holds: Bool, _ key: String, _ reason: String) {
            if !holds { found.append((key, reason)) }
        }
        require(
            limits.frameBeforeSignIn <= limits.frame,
            "limits.frame-before-sign-in",
            "expected at most limits.frame, \(SizeText.format(limits.frame))"
        )
        require(
            limits.sentFrame <= limits.outboxBytes,
            "limits.outbox-bytes",
            "expected at least limits.sent-frame, \(SizeText.format(limits.sentFrame))"
        )
        require(
            limits.outboxBytes * listen.threads <= limits.allOutboxBytes,
            "limits.all-outbox-bytes",
            "expected at least limits.outbox-bytes for each of listen.threads, "
                + SizeText.format(limits.outboxBytes * listen.threads)
        )
        require(
            connection.silence > connection.ping,
            "connection.silence",
            "expected more than connection.ping, \(DurationText.format(connection.ping))"
        )
        require(
            arrival.grace <= window.after,
            "arrival.grace",
            "expected at most window.after, \(DurationText.format(window.after))"
        )
        require(
            drain.closeFrames + drain.spread <= drain.deadline,
            "drain.close-frames",
            "expected at most drain.deadline, \(DurationText.format(drain.deadline)), together with drain.spread"
        )
        require(
            tokens.refresh > tokens.access,
            "tokens.refresh",
            "expected more than tokens.access, \(DurationText.format(tokens.access))"
        )
        require(
            passwords.cost.memory <= ScryptCost.mostMemory,
            "passwords.scrypt-log2-n",
            "expected at most \(SizeText.format(ScryptCost.mostMemory)) of memory (128 bytes * N * r)"
        )
        require(
            tls.certificate == nil || tls.key != nil,
            "tls.key",
            "expected a file, because tls.certificate is set"
        )
        require(
            tls.key == nil || tls.certificate != nil,
            "tls.certificate",
            "expected a file, because tls.key is set"
        )
        let keyFiles = [auth.issuer.hs256, auth.issuer.rs256, auth.issuer.es256, auth.issuer.eddsa]
        require(
            auth.accounts == .local || keyFiles.contains { $0 != nil },
            "auth.accounts",
            "expected a file of keys under auth.issuer, because auth.accounts is issuer"
        )
        return found
    }

    private var productionConflicts: [(key: String, reason: String)] {
        guard environment == .production else { return [] }
        var found: [(key: String, reason: String)] = []
        let least = ScryptCost.recommended
        if passwords.cost.log2N < least.log2N {
            found.append(("passwords.scrypt-log2-n", "expected at least \(least.log2N) in production"))
        }
        if passwords.cost.blockSize < least.blockSize {
            found.append(("passwords.scrypt-r", "expected at least \(least.blockSize) in production"))
        }
        if clock.rate != 1 { found.append(("clock.rate", "expected 1 in production")) }
        if clock.start != nil { found.append(("clock.start", "expected real in production")) }
        return found
    }
}
