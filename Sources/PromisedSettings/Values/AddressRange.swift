internal import Glibc

/// The IP addresses that begin with the same bits: a network in CIDR notation, or a single address.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    private let first: IPNumber
    private let length: Int

    /// A range such as `10.0.0.0/8`, `2001:db8::/32` or `192.0.2.7`. Returns nil if it is malformed, or if bits after
    /// the prefix are set, which is usually a mistake.
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

    /// `true` if the range contains the address; a range never contains addresses of the other IP version.
    package func contains(_ address: IPNumber) -> Bool {
        address.bytes.count == first.bytes.count && AddressRange.prefix(of: address, length) == first.bytes
    }

    /// The form used in the configuration.
    package var description: String { length == first.bytes.count * 8 ? first.text : "\(first.text)/\(length)" }

    /// The address with all bits after the first `length` set to zero.
    private static func prefix(of address: IPNumber, _ length: Int) -> [UInt8] {
        address.bytes.enumerated().map { index, byte in
            let kept = min(8, max(0, length - index * 8))
            return kept == 0 ? 0 : byte & (0xFF << (8 - UInt8(kept)))
        }
    }
}

/// An IP address as a number; an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 one.
package struct IPNumber: Hashable, Sendable {
    /// 4 bytes of IPv4 or 16 of IPv6, the most significant first.
    package let bytes: [UInt8]

    /// The address in `text`, without a zone (`fe80::1%eth0`); nil if it is not an address.
    package init?(_ text: some StringProtocol) {
        let number = String(text.prefix { $0 != "%" })
        if let four = IPNumber.parse(number, family: AF_INET, length: 4) {
            bytes = four
        } else if let sixteen = IPNumber.parse(number, family: AF_INET6, length: 16) {
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
            bytes = sixteen.starts(with: mapped) ? Array(sixteen[12...]) : sixteen
        } else {
            return nil
        }
    }

    /// `true` if it is this machine itself (127.0.0.0/8, ::1).
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The address as text, in the form of RFC 5952.
    package var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            let text = inet_ntop(family, bytes, buffer.baseAddress, socklen_t(buffer.count))
            return text.map { String(cString: $0) } ?? ""
        }
    }

    private static func parse(_ text: String, family: Int32, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}

/// Networks as a list in one text.
package enum NetworkText {
    /// Reads networks separated by commas, ignoring spaces around them. Returns nil if one is invalid or appears twice;
    /// an empty list for an empty text.
    package static func parse(_ text: String) -> [AddressRange]? {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        var networks: [AddressRange] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = item.split(whereSeparator: \.isWhitespace)
            guard words.count == 1, let network = AddressRange(words[0]), !networks.contains(network) else {
                return nil
            }
            networks.append(network)
        }
        return networks
    }
}
