import PromisedProtocol

/// The protocol's values about places and weather in words; an unknown value is `unknown`.
extension WireOpening.Value {
    var word: String {
        switch self {
        case .open: "open"
        case .closed: "closed"
        case .thatDay: "open that day"
        case .unknown, .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .open, .thatDay: .good
        case .closed, .unknown, .unspecified, .UNRECOGNIZED: .faint
        }
    }
}

extension WireAdminProviderState.Value {
    var word: String {
        switch self {
        case .ready: "ready"
        case .backingOff: "backing off"
        case .refused: "key refused"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .ready: .good
        case .backingOff: .warning
        case .refused: .bad
        case .unspecified, .UNRECOGNIZED: .plain
        }
    }
}

extension WireWeatherState.Value {
    var word: String {
        switch self {
        case .off: "off"
        case .ready: "ready"
        case .stale: "stale"
        case .pending: "pending"
        case .beyond: "beyond"
        case .unavailable: "unavailable"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }

    var tone: Tone {
        switch self {
        case .ready: .good
        case .stale, .pending: .warning
        case .unavailable: .bad
        case .off, .beyond, .unspecified, .UNRECOGNIZED: .plain
        }
    }
}
