package import PromisedDomain
package import PromisedProtocol

extension Fix {
    /// A fix as reported by a phone, not validated: the intake judges invalid numbers.
    ///
    /// A battery charge that is not a percentage counts as unknown.
    package init(_ wire: WireFix) {
        self.init(
            seq: wire.seq,
            coordinate: Coordinate(latitude: wire.latitude, longitude: wire.longitude),
            accuracyMetres: wire.hasAccuracyMetres ? wire.accuracyMetres : nil,
            speedMps: wire.hasSpeedMps ? wire.speedMps : nil,
            courseDegrees: wire.hasCourseDegrees ? wire.courseDegrees : nil,
            uptimeMs: wire.hasUptimeMs ? wire.uptimeMs : nil,
            wallMs: wire.hasRecordedAt ? wire.recordedAt.readingMs : nil,
            isMock: wire.mock,
            batteryPercent: wire.hasBatteryPercent ? Fix.battery(wire.batteryPercent) : nil
        )
    }

    /// A phone's charge in percent, rounded; nil if it is not a percentage.
    static func battery(_ percent: Double) -> Int? { (0...100).contains(percent) ? Int(percent.rounded()) : nil }
}

extension WireFix {
    /// A fix for a report; omits a wall clock beyond the years 1 to 9999.
    package init(_ fix: Fix) {
        self.init()
        seq = fix.seq
        latitude = fix.coordinate.latitude
        longitude = fix.coordinate.longitude
        if let accuracy = fix.accuracyMetres { accuracyMetres = accuracy }
        if let speed = fix.speedMps { speedMps = speed }
        if let course = fix.courseDegrees { courseDegrees = course }
        if let uptime = fix.uptimeMs { uptimeMs = uptime }
        if let timestamp = fix.wallMs.flatMap(WireTimestamp.init(readingMs:)) { recordedAt = timestamp }
        if fix.isMock { mock = true }
        if let battery = fix.batteryPercent { batteryPercent = Double(battery) }
    }
}

extension WirePosition {
    /// A live position as shown to others; the distance is rounded to decimetres.
    package init(_ position: LivePosition) {
        self.init()
        userID = position.userID.wireText
        seq = position.seq
        latitude = position.coordinate.latitude
        longitude = position.coordinate.longitude
        accuracyMetres = position.accuracyMetres
        fixTime = WireTimestamp(position.fixTime)
        distanceMetres = position.wireDistanceMetres
        if let estimate = position.estimate { eta = WireEta(estimate) }
    }
}

extension LivePosition {
    /// Rounded to decimetres.
    var wireDistanceMetres: Double { (distanceMetres * 10).rounded() / 10 }
}

extension WireEta {
    /// The expected arrival of a participant.
    package init(_ estimate: ArrivalEstimate) {
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
    package init(_ state: ArrivalEstimate.State) {
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
