public import PromisedDomain
public import PromisedProtocol

extension WireEta {
    /// When somebody is expected.
    public init(_ estimate: ArrivalEstimate) {
        self.init()
        if let band = estimate.band {
            medianAt = WireTimestamp(band.medianAt)
            lowAt = WireTimestamp(band.lowAt)
            highAt = WireTimestamp(band.highAt)
        }
        state = WireEtaState.Value(estimate.state)
    }
}

extension WireEtaState.Value {
    /// The wire's form.
    public init(_ state: ArrivalEstimate.State) {
        switch state {
        case .unknown: self = .unknown
        case .onTime: self = .onTime
        case .atRisk: self = .atRisk
        case .late: self = .late
        case .approaching: self = .approaching
        case .arrived: self = .arrived
        }
    }
}
