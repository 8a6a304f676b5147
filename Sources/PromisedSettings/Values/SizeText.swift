/// Numbers of bytes as people write them: plain, or with `KiB` or `MiB`.
package enum SizeText {
    private static let units: [(name: String, bytes: Int)] = [("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)]

    /// Reads a number of bytes; nil for anything but digits followed by nothing, `KiB` or `MiB`.
    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text[digits.endIndex...]
        guard let count = Int(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
        let (bytes, hasOverflowed) = count.multipliedReportingOverflow(by: unit.bytes)
        return hasOverflowed ? nil : bytes
    }

    /// Writes a number of bytes for people: three digits or so, up to TiB.
    package static func rounded(_ bytes: Int) -> String {
        var amount = Double(bytes)
        var names = ["B", "KiB", "MiB", "GiB", "TiB"]
        while amount >= 1_000, names.count > 1 {
            amount /= 1_024
            names.removeFirst()
        }
        let digits = amount < 10 && names[0] != "B" ? (amount * 10).rounded() / 10 : amount.rounded()
        let text = digits.rounded() == digits ? String(Int(digits)) : String(digits)
        return "\(text) \(names[0])"
    }

    /// Writes a number of bytes in the largest unit that leaves a whole number.
    @Sendable package static func format(_ bytes: Int) -> String {
        for unit in units where bytes >= unit.bytes && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return String(bytes)
    }
}
