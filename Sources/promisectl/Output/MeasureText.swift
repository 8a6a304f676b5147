import Foundation

/// Sizes, distances, rates and money as people read them.
enum MeasureText {
    /// A number with a fixed count of decimals.
    static func number(_ value: Double, decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

    /// Bytes in the largest binary unit: `512 B`, `1.5 MiB`.
    static func bytes(_ count: Double) -> String {
        var rest = count
        var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
        while rest >= 1_024, units.count > 1 {
            rest /= 1_024
            units = units.dropFirst()
        }
        return "\(number(rest, decimals: units.first == "B" ? 0 : 1)) \(units.first ?? "")"
    }

    /// A distance: `85 m`, `1.2 km`.
    static func distance(metres: Double) -> String {
        metres < 1_000 ? "\(number(metres, decimals: 0)) m" : "\(number(metres / 1_000, decimals: 1)) km"
    }

    /// An amount as the protocol counts it, for a currency does not tell here how many decimals it has.
    static func money(_ amount: Int32, _ currency: String) -> String { "\(amount) \(currency) (minor units)" }

    /// How many of something: `1 user`, `2 users`.
    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
    }
}
