internal import PromisedProtocol
internal import PromisedWire

/// The result of one health check.
struct HealthFinding: Hashable, Sendable {
    var name: String
    var state: WireAdminHealthState.Value
    var detail: String
    /// The remedy; empty if there is no problem.
    var advice = ""

    /// No problem.
    static func ok(_ name: String, _ detail: String) -> Self {
        Self(name: name, state: .ok, detail: detail)
    }

    /// It works, but needs attention.
    static func warning(_ name: String, _ detail: String, advice: String) -> Self {
        Self(name: name, state: .warning, detail: detail, advice: advice)
    }

    /// It does not work.
    static func failed(_ name: String, _ detail: String, advice: String) -> Self {
        Self(name: name, state: .failed, detail: detail, advice: advice)
    }

    /// It does not apply here.
    static func skipped(_ name: String, _ detail: String) -> Self { Self(name: name, state: .skipped, detail: detail) }

    var wire: WireAdminHealthCheck {
        var check = WireAdminHealthCheck()
        check.name = name
        check.state = state
        check.detail = detail
        check.advice = advice
        return check
    }
}
