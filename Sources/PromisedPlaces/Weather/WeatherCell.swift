package import PromisedDomain

/// A part of the earth's surface for which weather is requested. Requests never contain a more precise position.
package enum WeatherCell: Hashable, Sendable {
    /// A cell of the grid of Korea's weather service: x 1…149, y 1…253.
    case kma(x: Int, y: Int)
    /// A tenth of a degree each way, by its south-west corner in tenths of a degree.
    case tenth(latitude: Int, longitude: Int)

    /// The cell of Korea's grid that contains a point; nil outside the grid.
    package init?(kmaAt point: Coordinate) {
        guard let cell = KMAGrid.cell(at: point) else { return nil }
        self = .kma(x: cell.x, y: cell.y)
    }

    /// The tenth of a degree that contains a valid point. The north pole belongs to the cells below it, and 180° E to
    /// those east of the date line.
    package init(tenthAt point: Coordinate) {
        let latitude = Int((point.latitude * 10).rounded(.down))
        let longitude = Int((point.longitude * 10).rounded(.down))
        self = .tenth(latitude: min(latitude, 899), longitude: longitude == 1_800 ? -1_800 : longitude)
    }

    /// The middle of the cell.
    package var centre: Coordinate {
        switch self {
        case .kma(let x, let y): KMAGrid.coordinate(x: x, y: y)
        case .tenth(let latitude, let longitude):
            Coordinate(latitude: Double(latitude * 10 + 5) / 100, longitude: Double(longitude * 10 + 5) / 100)
        }
    }

    /// The tenth of a degree that contains the middle of the cell.
    package var tenth: WeatherCell {
        switch self {
        case .kma: WeatherCell(tenthAt: centre)
        case .tenth: self
        }
    }

    /// The middle of ``tenth`` as sent to providers: degrees with two decimals, such as `37.55` and `-0.05`.
    package var degrees: (latitude: String, longitude: String) {
        guard case .tenth(let latitude, let longitude) = tenth else { preconditionFailure("A tenth is a tenth") }
        return (Self.hundredths(latitude * 10 + 5), Self.hundredths(longitude * 10 + 5))
    }

    private static func hundredths(_ number: Int) -> String {
        let rest = number.magnitude % 100
        return "\(number < 0 ? "-" : "")\(number.magnitude / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

// MARK: - As a text

extension WeatherCell {
    /// The cell's name: `kma/60,127` or `tenth/375,1269`.
    package var text: String {
        switch self {
        case .kma(let x, let y): "kma/\(x),\(y)"
        case .tenth(let latitude, let longitude): "tenth/\(latitude),\(longitude)"
        }
    }

    /// The cell of a name in the form of ``text``; nil for anything else.
    package init?(text: String) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let numbers = halves[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1] else { return nil }
        switch halves[0] {
        case "kma" where KMAGrid.columns.contains(first) && KMAGrid.rows.contains(second):
            self = .kma(x: first, y: second)
        case "tenth" where (-900...899).contains(first) && (-1_800...1_799).contains(second):
            self = .tenth(latitude: first, longitude: second)
        default: return nil
        }
        // `Int` also parses "+1" and "007".
        guard self.text == text else { return nil }
    }
}

extension WeatherCell: Codable {
    /// Decodes the cell's name.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let cell = WeatherCell(text: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" names no weather cell")
        }
        self = cell
    }

    /// Encodes the cell's name.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
