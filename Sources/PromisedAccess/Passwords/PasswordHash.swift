import Foundation
package import PromisedSettings

/// A stored password hash: scrypt's parameters, salt and key, with a text form based on the PHC string format.
package struct PasswordHash: Equatable {
    /// Bytes of a new salt.
    package static let saltLength = 16
    /// Bytes of a new key.
    package static let keyLength = 32

    package let cost: ScryptCost
    package let salt: [UInt8]
    package let key: [UInt8]

    package init(cost: ScryptCost, salt: [UInt8], key: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.key = key
    }

    /// Reads the text form; nil for other algorithms, costs beyond ``ScryptCost/isAcceptable`` and anything malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        let fields = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 3, let log2N = Self.number(fields[0], named: "ln"),
            let blockSize = Self.number(fields[1], named: "r"), let parallelism = Self.number(fields[2], named: "p"),
            ScryptCost.log2NRange.contains(log2N),
            case let cost = ScryptCost(log2N: log2N, blockSize: blockSize, parallelism: parallelism), cost.isAcceptable,
            let salt = Base64Text.decodeStandard(String(parts[3])), (8...64).contains(salt.count),
            let key = Base64Text.decodeStandard(String(parts[4])), (16...64).contains(key.count)
        else { return nil }
        self.init(cost: cost, salt: salt, key: key)
    }

    /// The text form.
    package var text: String {
        let parameters = "ln=\(cost.log2N),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(parameters)$\(Base64Text.encodeStandard(salt))$\(Base64Text.encodeStandard(key))"
    }

    /// `true` if `other` is the key; compares in constant time.
    package func matches(_ other: [UInt8]) -> Bool {
        guard other.count == key.count else { return false }
        return zip(key, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func number(_ field: Substring, named name: String) -> Int? {
        guard field.hasPrefix(name + "=") else { return nil }
        let digits = field.dropFirst(name.count + 1)
        return digits.count <= 4 && digits.allSatisfy(\.isNumber) ? Int(digits) : nil
    }
}
