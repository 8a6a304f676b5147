package import PromisedDomain

/// The concentrations at which grades of the air end.
package enum AirScale: String, Hashable, Sendable, CaseIterable, Codable {
    /// PM10 30, 50, 100 µg/m³; PM2.5 15, 25, 50.
    case general
    /// The official ones of Korea (환경부): PM10 30, 80, 150; PM2.5 15, 35, 75.
    case korea

    /// The upper ends of three grades, included in them, in µg/m³.
    typealias Ends = (good: Double, moderate: Double, bad: Double)

    /// Of particles up to 10 µm.
    var pm10: Ends { self == .korea ? (30, 80, 150) : (30, 50, 100) }
    /// Of particles up to 2.5 µm.
    var pm25: Ends { self == .korea ? (15, 35, 75) : (15, 25, 50) }
}

/// The choice of scales for grades of the air.
package enum AirGrading: String, Hashable, Sendable, CaseIterable {
    /// In Korea its official scale, elsewhere the general one.
    case local
    /// The general scale everywhere.
    case general
    /// Korea's scale everywhere.
    case korea

    /// The scale for a point.
    package func scale(at point: Coordinate) -> AirScale {
        switch self {
        case .local: Self.isInKorea(point) ? .korea : .general
        case .general: .general
        case .korea: .korea
        }
    }

    /// Roughly: from Jeju to the northern border and east to Dokdo. South of 35° N the islands and coasts east of
    /// 128.9° E are Japan's.
    private static func isInKorea(_ point: Coordinate) -> Bool {
        guard (33.0...38.65).contains(point.latitude), (124.5...131.95).contains(point.longitude) else { return false }
        return point.latitude >= 35 || point.longitude <= 128.9
    }
}
