/// The IP addresses that begin with the same bits: a network in CIDR notation, or a single address.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let first: IPNumber
    private let length: Int

    /// A range such as `10.0.0.0/8`, `2001:db8::/32` or `192.0.2.7`.
    ///
    /// - Returns: nil when it is none, or when bits behind the prefix are set, which is a mistake more often than not.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, !text.contains("%"), let first = IPNumber(parts[0]) else { return nil }
        let whole = first.bytes.count * 8
        var length = whole
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...whole).contains(number), parts[1].allSatisfy(\.isNumber) else {
                return nil
            }
            length = number
        }
        self.first = first
        self.length = length
        guard AddressRange.prefix(of: first, length) == first.bytes else { return nil }
    }

    /// Whether the address is one of them; an IPv4 address is never in a range of IPv6, nor the other way round.
    package func contains(_ address: IPNumber) -> Bool {
        address.bytes.count == first.bytes.count && AddressRange.prefix(of: address, length) == first.bytes
    }

    /// As it is written in the configuration.
    package var description: String {
        length == first.bytes.count * 8 ? first.text : "\(first.text)/\(length)"
    }

    /// The address with all bits behind the first `length` at zero.
    private static func prefix(of address: IPNumber, _ length: Int) -> [UInt8] {
        address.bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, length - index * 8))
            return kept == 0 ? 0 : byte & (0xFF << (8 - UInt8(kept)))
        }
    }
}
