extension Retry {
    /// The wire's form.
    public var wireValue: WireRetry.Value {
        switch self {
        case .never: .never
        case .later: .later
        case .afterRejoin: .afterRejoin
        }
    }

    /// From the wire's form; nil for an unspecified or unknown one.
    public init?(_ value: WireRetry.Value) {
        switch value {
        case .never: self = .never
        case .later: self = .later
        case .afterRejoin: self = .afterRejoin
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
