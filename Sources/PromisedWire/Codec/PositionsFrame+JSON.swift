internal import PromisedDomain

extension PositionsFrame {
    /// Larger than the maximum of everything but the positions (149 bytes), and of each position (400 bytes): exceeding
    /// it would stop the server.
    private static let largestFrame = 192
    private static let largestPosition = 512

    /// The JSON encoding of ``message``.
    var json: [UInt8] {
        let limit = PositionsFrame.largestFrame + positions.count * PositionsFrame.largestPosition
        return JSONWriter.bytes(atMost: limit) { writer in
            writer.object { frame in
                frame.name("\"event\":")
                frame.object { event in
                    event.name("\"promiseId\":")
                    event.id(promiseID)
                    event.name("\"at\":")
                    event.instant(at)
                    event.name("\"positions\":")
                    event.object(writeContent)
                }
            }
        }
    }

    private func writeContent(to writer: inout JSONWriter) {
        if !positions.isEmpty {
            writer.name("\"positions\":")
            writer.array { list in
                for position in positions {
                    list.element()
                    list.object { $0.members(of: position) }
                }
            }
        }
        let nextReportMs = TimeSpan.wireMs(nextReport)
        if nextReportMs != 0 {
            writer.name("\"nextReportMs\":")
            writer.number(nextReportMs)
        }
    }
}

extension JSONWriter {
    /// `Position` of the schema.
    fileprivate mutating func members(of position: LivePosition) {
        name("\"userId\":")
        id(position.userID)
        if position.seq != 0 {
            name("\"seq\":")
            number(position.seq)
        }
        memberUnlessZero("\"latitude\":", position.coordinate.latitude)
        memberUnlessZero("\"longitude\":", position.coordinate.longitude)
        memberUnlessZero("\"accuracyMetres\":", position.accuracyMetres)
        name("\"fixTime\":")
        instant(position.fixTime)
        memberUnlessZero("\"distanceMetres\":", position.wireDistanceMetres)
        guard let estimate = position.estimate else { return }
        name("\"eta\":")
        object { $0.members(of: estimate) }
    }

    /// `Eta` of the schema.
    private mutating func members(of estimate: ArrivalEstimate) {
        if let band = estimate.band {
            name("\"medianAt\":")
            instant(band.medianAt)
            name("\"lowAt\":")
            instant(band.lowAt)
            name("\"highAt\":")
            instant(band.highAt)
        }
        name("\"state\":")
        switch estimate.state {
        case .unknown: raw("\"UNKNOWN\"")
        case .onTime: raw("\"ON_TIME\"")
        case .atRisk: raw("\"AT_RISK\"")
        case .late: raw("\"LATE\"")
        case .approaching: raw("\"APPROACHING\"")
        case .arrived: raw("\"ARRIVED\"")
        }
    }

    /// Minus zero is written, like in the library.
    private mutating func memberUnlessZero(_ text: StaticString, _ value: Double) {
        guard value.bitPattern != 0 else { return }
        name(text)
        number(value)
    }
}
