/// Parses numbers of positions as people write them.
enum AngleText {
    /// The number of a text: of metres or degrees, with a decimal point or a decimal comma; or of degrees with a
    /// hemisphere before or after, optionally with minutes and seconds, such as `49° 7' 9.345"N`, `S 33 51.5` or
    /// `126.98E`.
    ///
    /// - Parameter hemispheres: two letters: the one of positive and the one of negative numbers.
    /// - Returns: nil for anything else.
    static func number(_ text: String, _ hemispheres: String) -> Double? {
        decimal(text) ?? degrees(text, hemispheres)
    }

    private static func decimal(_ text: some StringProtocol) -> Double? {
        Double(text) ?? Double(String(text).replacing(",", with: "."))
    }

    private static func degrees(_ text: String, _ hemispheres: String) -> Double? {
        guard let positive = hemispheres.first, let negative = hemispheres.last else { return nil }
        var rest = text[...]
        var letter: Character?
        for isFirst in [true, false] {
            guard let end = isFirst ? rest.first : rest.last, let upper = end.uppercased().first,
                upper == positive || upper == negative
            else { continue }
            guard letter == nil else { return nil }
            letter = upper
            rest = isFirst ? rest.dropFirst() : rest.dropLast()
        }
        // Each sign ends a part: degrees, minutes, seconds.
        let parts = rest.split { $0.isWhitespace || "°º˚′'’´″\"”:".contains($0) }
        guard letter != nil || rest.contains(where: { "°º˚".contains($0) }), (1...3).contains(parts.count) else {
            return nil
        }
        let numbers = parts.compactMap { decimal($0) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0.isFinite }),
            numbers.dropFirst().allSatisfy({ (0..<60).contains($0) }),
            // Only the last part may have a fraction, and only the first a sign, if there is no letter.
            numbers.dropLast().allSatisfy({ $0 == $0.rounded() }), letter == nil || numbers[0] >= 0
        else { return nil }
        let size = zip(numbers, [1.0, 60, 3_600]).reduce(0) { $0 + abs($1.0) / $1.1 }
        let isNegative = letter == negative || numbers[0].sign == .minus
        return isNegative ? -size : size
    }
}
