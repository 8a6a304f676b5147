/// Whether a refused request may succeed later.
public enum Retry: String, Hashable, Sendable, CaseIterable {
    /// Not unless the request changes.
    case never = "NEVER"
    /// After a while; `retryAfterMs` says how long, if known.
    case later = "LATER"
    /// After connecting, signing in or subscribing again.
    case afterRejoin = "AFTER_REJOIN"
}

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
