internal import PromisedProtocol
internal import PromisedWire

/// One thing that was looked at.
struct HealthFinding: Hashable, Sendable {
    /// A stable name.
    var name: String
    /// How it stands.
    var state: WireAdminHealthState.Value
    /// What was found.
    var detail: String
    /// What to do about it; empty when all is well.
    var advice = ""

    /// All is well.
    static func ok(_ name: String, _ detail: String) -> Self {
        Self(name: name, state: .ok, detail: detail)
    }

    /// It works, but somebody should look at it.
    static func warning(_ name: String, _ detail: String, advice: String) -> Self {
        Self(name: name, state: .warning, detail: detail, advice: advice)
    }

    /// It does not work.
    static func failed(_ name: String, _ detail: String, advice: String) -> Self {
        Self(name: name, state: .failed, detail: detail, advice: advice)
    }

    /// It does not apply here.
    static func skipped(_ name: String, _ detail: String) -> Self {
        Self(name: name, state: .skipped, detail: detail)
    }

    /// The same on the wire.
    var wire: WireAdminHealthCheck {
        var check = WireAdminHealthCheck()
        check.name = name
        check.state = state
        check.detail = detail
        check.advice = advice
        return check
    }
}
