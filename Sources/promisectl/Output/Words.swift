import PromisedProtocol

/// The protocol's values in words; an unknown value is `unknown`.
extension WirePromiseStatus.Value {
    var word: String {
        switch self {
        case .scheduled: "scheduled"
        case .tracking: "tracking"
        case .settling: "settling"
        case .final: "final"
        case .cancelled: "cancelled"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .tracking, .settling: .good
        case .final, .cancelled: .faint
        case .scheduled, .unspecified, .UNRECOGNIZED: .plain
        }
    }
}

extension WireMembership.Value {
    var word: String {
        switch self {
        case .invited: "invited"
        case .accepted: "accepted"
        case .declined: "declined"
        case .left: "left"
        case .removed: "removed"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}

extension WireOutcome.Value {
    var word: String {
        switch self {
        case .early: "early"
        case .onTime: "on time"
        case .late: "late"
        case .noShow: "no-show"
        case .left: "left"
        case .excused: "excused"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .early, .onTime: .good
        case .late: .warning
        case .noShow, .left: .bad
        case .excused, .unspecified, .UNRECOGNIZED: .plain
        }
    }
}

extension WireArrivalSource.Value {
    /// Empty if there is none.
    var word: String {
        switch self {
        case .gps: "gps"
        case .self_: "self"
        case .peer: "peer"
        case .owner: "owner"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }
}

extension WireFreshness.Value {
    /// Empty if there is none.
    var word: String {
        switch self {
        case .live: "live"
        case .lagging: "lagging"
        case .stale: "stale"
        case .lost: "lost"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }

    var tone: Tone {
        switch self {
        case .live: .good
        case .lagging: .plain
        case .stale: .warning
        case .lost: .bad
        case .unspecified, .UNRECOGNIZED: .plain
        }
    }
}

extension WirePresenceCause.Value {
    /// Empty if no problem is known.
    var word: String {
        switch self {
        case .offline: "offline"
        case .noFix: "no fix"
        case .paused: "paused"
        case .permission: "permission"
        case .lowBattery: "low battery"
        case .none, .unspecified, .UNRECOGNIZED: ""
        }
    }
}

extension WireArrivalClause.Value {
    /// Empty if none fired.
    var word: String {
        switch self {
        case .settled: "settled"
        case .lingering: "lingering"
        case .silent: "silent"
        case .firstFix: "first fix"
        case .checkIn: "check-in"
        case .correction: "correction"
        case .unspecified, .UNRECOGNIZED: ""
        }
    }
}

extension WireFixUse.Value {
    var word: String {
        switch self {
        case .inside: "inside"
        case .strong: "strong"
        case .edge: "edge"
        case .outside: "outside"
        case .unusable: "unusable"
        case .covered: "covered"
        case .dropped: "dropped"
        case .refused: "refused"
        case .held: "held"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}

extension WireAdminHealthState.Value {
    var word: String {
        switch self {
        case .ok: "ok"
        case .warning: "warning"
        case .failed: "FAILED"
        case .skipped: "skipped"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .ok: .good
        case .warning: .warning
        case .failed: .bad
        case .skipped: .faint
        case .unspecified, .UNRECOGNIZED: .plain
        }
    }
}
