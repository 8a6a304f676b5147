import Foundation

/// What the program says while it works, on standard error.
enum Progress {
    /// Writes a line.
    static func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

/// Numbers for people.
enum NumberText {
    /// With so many digits after the point.
    static func rounded(_ value: Double, digits: Int = 1) -> String {
        // Without Foundation's formats, which take their signs from the environment.
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let whole = Int64((abs(value) * scale).rounded())
        let (head, tail) = whole.quotientAndRemainder(dividingBy: Int64(scale))
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(head)" }
        let fraction = "\(tail)"
        return "\(sign)\(head)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
