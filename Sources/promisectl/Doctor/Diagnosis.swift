import PromisedProtocol

/// What was looked at so far, and what the program ends with for it.
struct Diagnosis: Sendable {
    /// In the order they were made.
    private(set) var checks: [WireAdminHealthCheck] = []
    private(set) var status = ExitStatus.done

    /// Takes note of one thing; a failed one makes the status at least `refused`.
    mutating func note(_ name: String, _ state: WireAdminHealthState.Value, _ detail: String, advice: String = "") {
        var check = WireAdminHealthCheck()
        check.name = name
        check.state = state
        check.detail = detail
        check.advice = advice
        take([check])
    }

    /// Takes note of something that ends the looking, for what it ends with.
    mutating func fail(_ name: String, _ failure: Failure, advice: String) {
        note(name, .failed, failure.description, advice: advice)
        status = failure.status
    }

    /// Takes what the server found.
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
