import PromisedDomain

/// Numbers in GPX files: decimals (XML Schema Part 2 section 3.2.3), with seven places.
enum GPXNumber {
    /// The number of units in 1; a unit of a degree is at most 11 mm.
    static let unit = 10_000_000.0

    /// The exclusive upper limit of units: below it, a Double of units stays exact through a division and a
    /// multiplication by ``unit``.
    private static let most: UInt64 = 1_000_000_000_000_000

    /// The number in a text, rounded to the nearest seventh decimal place; nil for anything else, including NaN and
    /// infinity, and for numbers of 10⁸ and beyond.
    ///
    /// White space around it is ignored. A number with an exponent is read although XML Schema does not allow it: some
    /// programs write `1.0E-4` for positions near the meridian.
    static func value(_ text: ArraySlice<UInt8>) -> Double? {
        var scanner = DecimalScanner(text.trimmingXMLSpace())
        let units = scanner.units() ?? exponential(scanner.text)
        return units.flatMap { $0.magnitude < most ? Double($0) / unit : nil }
    }

    /// The position of two texts; nil if either is not a number or out of range.
    ///
    /// A longitude may be up to a turn beyond the date line, within ±360°: programs that draw a way across it continue
    /// counting.
    static func coordinate(latitude: ArraySlice<UInt8>, longitude: ArraySlice<UInt8>) -> Coordinate? {
        guard let latitude = value(latitude), let longitude = value(longitude) else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: wrapped(longitude))
        return coordinate.isValid ? coordinate : nil
    }

    /// Why two texts are not a position, if ``coordinate(latitude:longitude:)`` returns nil.
    static func problem(latitude: ArraySlice<UInt8>, longitude: ArraySlice<UInt8>) -> PositionProblem {
        guard let north = value(latitude), let east = value(longitude) else {
            return [latitude, longitude].contains(where: hasDecimalComma) ? .decimalComma : .noNumber
        }
        return north.magnitude <= 180 && east.magnitude <= 90 ? .exchanged : .outOfRange
    }

    private static func hasDecimalComma(_ text: ArraySlice<UInt8>) -> Bool {
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return false }
        return value(Array(text[..<comma] + [UInt8(ascii: ".")] + text[(comma + 1)...])[...]) != nil
    }

    /// Normalises a longitude of up to ±360° to ±180°, exact to the seventh place; any other is unchanged.
    private static func wrapped(_ longitude: Double) -> Double {
        guard longitude.magnitude > 180, longitude.magnitude <= 360 else { return longitude }
        let turn = (longitude < 0 ? -360 : 360) * unit
        return ((longitude * unit).rounded() - turn) / unit
    }

    /// The number in units, rounded; nil if it is not finite, or is 10⁸ or beyond.
    static func units(_ value: Double) -> Int64? {
        let units = (value * unit).rounded()
        return units.magnitude < Double(most) ? Int64(units) : nil
    }

    /// A number of units as a decimal: at least `places` places, without further zeros at the end.
    static func text(_ units: Int64, places: Int) -> String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
        var fraction = String(rest)
        fraction = String(repeating: "0", count: 7 - fraction.count) + fraction
        while fraction.count > places, fraction.last == "0" { fraction.removeLast() }
        return "\(units < 0 ? "-" : "")\(whole)\(fraction.isEmpty ? "" : ".")\(fraction)"
    }

    private static func exponential(_ text: ArraySlice<UInt8>) -> Int64? {
        guard text.count <= 40, text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }),
            text.allSatisfy({ "+-.eE0123456789".utf8.contains($0) })
        else { return nil }
        return Double(String(decoding: text, as: UTF8.self)).flatMap(units)
    }
}

/// Reads one decimal.
private struct DecimalScanner {
    let text: ArraySlice<UInt8>
    private var index: Int
    private var value: Int64 = 0

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
    }

    /// The whole text in units of 10⁻⁷, rounded half away from zero; nil if it is not a decimal below 10⁸.
    mutating func units() -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative || text.first == UInt8(ascii: "+") { index += 1 }
        let whole = readDigits(atMost: .max)
        guard value < 100_000_000 else { return nil }
        var places = 0
        if index < text.endIndex, text[index] == UInt8(ascii: ".") {
            index += 1
            places = readDigits(atMost: 7)
        }
        guard whole + places > 0 else { return nil }
        for _ in places..<7 { value *= 10 }
        if places == 7, index < text.endIndex, text[index].isDigit, text[index] >= UInt8(ascii: "5") { value += 1 }
        while index < text.endIndex, text[index].isDigit { index += 1 }
        guard index == text.endIndex else { return nil }
        return isNegative ? -value : value
    }

    /// Appends digits to ``value``, up to 10⁹ before the point.
    ///
    /// - Returns: the number of digits.
    private mutating func readDigits(atMost most: Int) -> Int {
        let start = index
        while index < text.endIndex, index - start < most, text[index].isDigit {
            if most < .max || value < 100_000_000 { value = value * 10 + Int64(text[index] - UInt8(ascii: "0")) }
            index += 1
        }
        return index - start
    }
}

extension UInt8 {
    /// `true` for the ten digits of ASCII.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
    /// The bytes without white space at both ends.
    func trimmingXMLSpace() -> ArraySlice<UInt8> {
        var rest = self
        while let first = rest.first, first.isXMLSpace { rest = rest.dropFirst() }
        while let last = rest.last, last.isXMLSpace { rest = rest.dropLast() }
        return rest
    }
}
