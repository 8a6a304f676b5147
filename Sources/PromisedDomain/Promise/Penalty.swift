/// What somebody who is late owes the others: shown and computed, never charged.
public struct Penalty: Hashable, Sendable, Codable {
    /// At most so much: what fifty people owe together still fits the 32 bits that the protocol has for the total.
    public static let largestAmount: Int32 = 40_000_000

    /// The amount in minor units of the currency (cents, won), 0 to ``largestAmount``.
    public var amount: Int32
    /// Three capital letters of ISO 4217.
    public var currency: String

    /// A penalty of `amount` minor units of `currency`.
    public init(amount: Int32, currency: String) {
        self.amount = amount
        self.currency = currency
    }

    /// Whether the amount is in range and the currency three capital letters, the form of ISO 4217 codes.
    public var isValid: Bool {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return (0...Penalty.largestAmount).contains(amount) && currency.utf8.count == 3
            && currency.utf8.allSatisfy(letters.contains)
    }
}
