import PromisedClient
import PromisedProtocol

/// The checks so far, and the resulting exit status.
struct Diagnosis: Sendable {
    /// In order.
    private(set) var checks: [WireAdminHealthCheck] = []
    private(set) var status = ExitStatus.done

    /// Adds a check; a failed one makes the status at least `refused`.
    mutating func note(_ name: String, _ state: WireAdminHealthState.Value, _ detail: String, advice: String = "") {
        var check = WireAdminHealthCheck()
        check.name = name
        check.state = state
        check.detail = detail
        check.advice = advice
        take([check])
    }

    /// Adds a failure that ends the examination, with its exit status.
    mutating func fail(_ name: String, _ failure: Failure, advice: String) {
        note(name, .failed, failure.description, advice: advice)
        status = failure.status
    }

    /// Adds the server's own checks.
    mutating func take(_ checks: [WireAdminHealthCheck]) {
        self.checks += checks
        if status == .done, checks.contains(where: { $0.state == .failed }) { status = .refused }
    }

    /// As the protocol's message.
    var health: WireAdminHealth {
        var health = WireAdminHealth()
        health.checks = checks
        return health
    }
}

/// Examines a server from outside, then asks it for its own checks.
struct Examination: Sendable {
    /// The largest acceptable difference of the clocks, in seconds.
    static let clockTolerance = 2.0

    let options: ServerOptions
    let context: Context
    let patience: Duration

    /// Runs all checks. Throws `usage` if there is no address.
    func run() async throws(Failure) -> Diagnosis {
        let address = try options.address(in: context)
        var diagnosis = Diagnosis()
        guard await isReachable(address, &diagnosis) else { return diagnosis }
        noteEncryption(of: address, &diagnosis)
        guard let administration = await enter(&diagnosis) else { return diagnosis }
        await examine(administration, &diagnosis)
        await administration.close()
        return diagnosis
    }

    // MARK: - From outside

    private func isReachable(_ address: ServerAddress, _ diagnosis: inout Diagnosis) async -> Bool {
        do throws(Failure) {
            let finding = try await context.connector.probe(at: address, authoritiesFile: options.authorities)
            let (handshake, answer) = (finding.handshake.tenthsOfMilliseconds, finding.answer.tenthsOfMilliseconds)
            diagnosis.note("connection", .ok, "\(address): handshake \(handshake) ms, answer \(answer) ms")
            return true
        } catch {
            diagnosis.fail(
                "connection",
                error,
                advice: "check that the server runs and listens there, and that no firewall or proxy blocks it"
            )
            return false
        }
    }

    private func noteEncryption(of address: ServerAddress, _ diagnosis: inout Diagnosis) {
        if address.usesTLS {
            diagnosis.note("encryption", .ok, "the certificate is valid for \(address.host)")
        } else if address.isThisMachine {
            diagnosis.note("encryption", .skipped, "the connection does not leave this machine")
        } else {
            diagnosis.note(
                "encryption",
                .warning,
                "tokens and positions cross the network unencrypted",
                advice: "configure a certificate in the server or in a reverse proxy before it, and use wss://"
            )
        }
    }

    // MARK: - As administrator

    private func enter(_ diagnosis: inout Diagnosis) async -> (any Administration)? {
        do throws(Failure) {
            let target = try options.target(in: context, patience: patience)
            let administration = try await context.connector.connect(to: target)
            diagnosis.note("token", .ok, "the server accepts the administrator's token")
            return administration
        } catch {
            diagnosis.fail(
                "token",
                error,
                advice: "use the server's admin.token, or create one on its machine with: promised token create"
            )
            return nil
        }
    }

    private func examine(_ administration: any Administration, _ diagnosis: inout Diagnosis) async {
        do throws(Failure) {
            note(try await administration.readClock(), &diagnosis)
            noteVersion(try await administration.ask(.getStats()).version, &diagnosis)
            diagnosis.take(try await administration.ask(.checkHealth()).checks)
            try await DirectoryCheck(administration: administration).run(&diagnosis)
        } catch {
            diagnosis.fail("answers", error, advice: "check the server's log")
        }
    }

    private func note(_ clock: ClockReading, _ diagnosis: inout Diagnosis) {
        let ahead = clock.secondsAhead
        let side = ahead < 0 ? "behind" : "ahead of"
        let detail = "the server's clock is \(MeasureText.number(abs(ahead), decimals: 2)) s \(side) this machine's"
        guard abs(ahead) > Self.clockTolerance + clock.tookMs / 2_000 else {
            return diagnosis.note("clock-difference", .ok, detail)
        }
        let advice = "check on both machines that the time is synchronised (timedatectl)"
        diagnosis.note("clock-difference", .warning, detail, advice: advice)
    }

    private func noteVersion(_ version: String, _ diagnosis: inout Diagnosis) {
        guard version != ProgramVersion.text else {
            return diagnosis.note("client-version", .ok, "server and promisectl are \(version)")
        }
        diagnosis.note(
            "client-version",
            .warning,
            "the server is \(version), promisectl is \(ProgramVersion.text)",
            advice: "install promisectl from the same package as the server"
        )
    }
}

extension ServerAddress {
    /// `true` if the connection stays on this machine.
    fileprivate var isThisMachine: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
