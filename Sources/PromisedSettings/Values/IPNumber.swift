internal import Glibc

/// An IP address as a number; an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is the IPv4 one.
package struct IPNumber: Hashable, Sendable {
    /// 4 bytes of IPv4 or 16 of IPv6, the most significant first.
    package let bytes: [UInt8]

    /// The address written in `text`, a zone behind it (`fe80::1%eth0`) left out; nil when it is none.
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

    /// Whether it is this machine itself (127.0.0.0/8, ::1).
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
