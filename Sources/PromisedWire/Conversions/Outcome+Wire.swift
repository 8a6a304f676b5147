public import PromisedDomain
public import PromisedProtocol

extension WireOutcome.Value {
    /// The wire's form.
    public init(_ outcome: Outcome) {
        switch outcome {
        case .early: self = .early
        case .onTime: self = .onTime
        case .late: self = .late
        case .noShow: self = .noShow
        case .left: self = .left
        case .excused: self = .excused
        }
    }
}

extension Outcome {
    /// From the wire's form; nil for an unspecified or unknown one.
    public init?(_ wire: WireOutcome.Value) {
        switch wire {
        case .early: self = .early
        case .onTime: self = .onTime
        case .late: self = .late
        case .noShow: self = .noShow
        case .left: self = .left
        case .excused: self = .excused
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
