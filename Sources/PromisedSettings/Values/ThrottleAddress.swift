#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The unit that counts as one address for limits per address.
///
/// An IPv4 address is one unit, also in its IPv6 forms (`::ffff:192.0.2.1`). The unit of IPv6 is a /64, since a single
/// host usually owns all its addresses. Any other text is its own unit.
package struct ThrottleAddress: Sendable, Hashable {
    /// `true` for this machine itself (127.0.0.0/8, ::1), which is exempt from limits per address.
    package let isLoopback: Bool

    /// 4 bytes of IPv4, 8 of IPv6, fewer of a network, or those of a text after 16 zeros.
    private let bytes: [UInt8]

    /// The address a connection came from, in numbers, with or without a zone (`fe80::1%eth0`).
    package init(_ text: String) {
        let number = String(text.prefix { $0 != "%" })
        if let four = Self.parse(number, family: AF_INET, length: 4) {
            self.init(four: four)
        } else if let sixteen = Self.parse(number, family: AF_INET6, length: 16) {
            self.init(sixteen: sixteen)
        } else {
            self.init(bytes: [UInt8](repeating: 0, count: 16) + Array(text.utf8), isLoopback: false)
        }
    }

    /// The address and the IPv6 networks around it that have limits: for IPv6 the /64, the /56 and the /48, for
    /// anything else only the address.
    package var withNetworks: [ThrottleAddress] { bytes.count == 8 ? [8, 7, 6].map(prefix) : [self] }

    /// The address as unique bytes; nil for loopback, which is exempt from limits per address.
    package var source: [UInt8]? { isLoopback ? nil : bytes }

    /// The usual network of one operator: the /24 of an IPv4 address, the /48 of an IPv6 one.
    package var network: ThrottleAddress {
        switch bytes.count {
        case 4: prefix(3)
        case 8: prefix(6)
        default: self
        }
    }

    private func prefix(_ length: Int) -> ThrottleAddress {
        ThrottleAddress(bytes: Array(bytes.prefix(length)), isLoopback: isLoopback)
    }

    private init(four: [UInt8]) { self.init(bytes: four, isLoopback: four[0] == 127) }

    private init(sixteen: [UInt8]) {
        let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        if sixteen.starts(with: mappedPrefix) {
            self.init(four: Array(sixteen[12...]))
        } else {
            let loopback = [UInt8](repeating: 0, count: 15) + [1]
            self.init(bytes: Array(sixteen[..<8]), isLoopback: sixteen == loopback)
        }
    }

    private init(bytes: [UInt8], isLoopback: Bool) {
        self.bytes = bytes
        self.isLoopback = isLoopback
    }

    private static func parse(_ text: String, family: Int32, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
