public import PromisedDomain
public import PromisedProtocol

extension WireRule {
    /// A promise's rule as it is shown.
    public init(_ rule: ArrivalRule) {
        self.init()
        name =
            switch rule.name {
            case .robust: .robust
            case .firstFix: .firstFix
            }
        graceMs = rule.grace.wireMs
        mock =
            switch rule.mock {
            case .flag: .flag
            case .reject: .reject
            }
    }

    /// The rule that a promise goes by: its grace is never longer than its window.
    public init(of promise: Promise) {
        self.init(promise.rule)
        graceMs = promise.grace.wireMs
    }
}

extension ArrivalRule {
    /// A rule as a request gives it. What it leaves open, or names in a way this version does not know, is the default.
    public init(_ wire: WireRule, defaults: ArrivalRule = ArrivalRule()) {
        self = defaults
        switch wire.name {
        case .robust: name = .robust
        case .firstFix: name = .firstFix
        case .unspecified, .UNRECOGNIZED: break
        }
        if wire.hasGraceMs { grace = .milliseconds(Int64(wire.graceMs)) }
        switch wire.mock {
        case .flag: mock = .flag
        case .reject: mock = .reject
        case .unspecified, .UNRECOGNIZED: break
        }
    }
}
