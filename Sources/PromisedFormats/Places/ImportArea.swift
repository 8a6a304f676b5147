package import PromisedDomain

/// The conversion of a file's numbers into coordinates, and the accepted area.
package struct ImportArea: Sendable {
    /// The point of an easting and a northing; nil if it does not exist.
    package typealias Projection = @Sendable (_ east: Double, _ north: Double) -> Coordinate?

    /// The accepted degrees, edges included; crosses ±180° if `west` is greater than `east`.
    package struct Bounds: Hashable, Sendable {
        package var south: Double
        package var west: Double
        package var north: Double
        package var east: Double

        /// The bounds of an option: `SOUTH,WEST,NORTH,EAST` in degrees.
        ///
        /// - Throws: ``FormatError/badOption(reason:)``.
        package init(option text: String) throws(FormatError) {
            let numbers = text.split(separator: ",").compactMap { Double(RowText.clean(String($0))) }
            guard numbers.count == 4, text.count(where: { $0 == "," }) == 3,
                Coordinate(latitude: numbers[0], longitude: numbers[1]).isValid,
                Coordinate(latitude: numbers[2], longitude: numbers[3]).isValid, numbers[0] <= numbers[2]
            else {
                throw .badOption(
                    reason:
                        "the bounds \(text) are invalid: use SOUTH,WEST,NORTH,EAST in degrees, such as 33,124,39,132"
                )
            }
            (south, west, north, east) = (numbers[0], numbers[1], numbers[2], numbers[3])
        }

        /// `true` if a point is inside or on the edge.
        package func contains(_ point: Coordinate) -> Bool {
            guard (south...north).contains(point.latitude) else { return false }
            return west <= east
                ? (west...east).contains(point.longitude) : point.longitude >= west || point.longitude <= east
        }
    }

    /// Why two numbers are refused.
    enum Fault: Error, Hashable {
        /// Not a point on the earth.
        case impossible(isExchanged: Bool)
        case null
        /// Not within the bounds.
        case outside(isExchanged: Bool)

        /// `true` if the exchanged numbers would be accepted.
        var isExchanged: Bool {
            switch self {
            case .impossible(let isExchanged), .outside(let isExchanged): isExchanged
            case .null: false
            }
        }
    }

    /// The EPSG number of the file's coordinates.
    let epsg: Int
    private let projection: Projection
    private let bounds: Bounds?

    /// An area.
    ///
    /// - Parameters:
    ///   - bounds: nil accepts the whole earth.
    ///   - epsg: the number of the projection's system.
    ///   - projection: by default longitude and latitude in degrees (EPSG 4326).
    package init(bounds: Bounds? = nil, epsg: Int = 4_326, projection: @escaping Projection = Self.degrees) {
        self.bounds = bounds
        self.epsg = epsg
        self.projection = projection
    }

    /// Longitude and latitude in degrees.
    package static let degrees: Projection = { Coordinate(latitude: $1, longitude: $0) }

    /// The coordinate of two numbers.
    func coordinate(east: Double, north: Double) -> Result<Coordinate, Fault> {
        if east == 0, north == 0 { return .failure(.null) }
        guard let coordinate = point(east: east, north: north) else {
            return .failure(.impossible(isExchanged: isTaken(east: north, north: east)))
        }
        if coordinate.isNull { return .failure(.null) }
        guard bounds?.contains(coordinate) ?? true else {
            return .failure(.outside(isExchanged: isTaken(east: north, north: east)))
        }
        return .success(coordinate)
    }

    private func isTaken(east: Double, north: Double) -> Bool {
        point(east: east, north: north).map { bounds?.contains($0) ?? true } ?? false
    }

    private func point(east: Double, north: Double) -> Coordinate? {
        guard east.isFinite, north.isFinite, let point = projection(east, north), point.isValid else { return nil }
        return point
    }
}
