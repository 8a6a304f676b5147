import Foundation

/// What the header of an outside token says about its signature (RFC 7515 §4).
package struct IssuerTokenHeader: Sendable, Hashable {
    /// How it is signed.
    package let algorithm: IssuerAlgorithm
    /// Which key signed it; nil when it does not say.
    package let keyID: String?

    /// The header of a token; nil when it has none, names an algorithm that is not taken, or asks for an extension that
    /// must be understood (`crit`, RFC 7515 §4.1.11): there is none here.
    package init?(of token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
            Substring($0)
        }
        guard parts.count == 3, let bytes = Self.content(of: parts[0]), Self.content(of: parts[1]) != nil else {
            return nil
        }
        guard let fields = Self.fields(bytes), !fields.isCritical, let algorithm = IssuerAlgorithm(rawValue: fields.alg)
        else { return nil }
        self.algorithm = algorithm
        keyID = fields.kid
    }

    /// The JSON of a part; nil where its names would cost more to look up than their length: they are read before anybody
    /// knows who wrote them.
    private static func content(of part: Substring) -> [UInt8]? {
        guard let bytes = Base64Text.decodeURL(String(part)) else { return nil }
        return TextWeight.hasManyMarks(String(decoding: bytes, as: UTF8.self)) ? nil : bytes
    }

    private static func fields(_ bytes: [UInt8]) -> Fields? {
        // Whatever is wrong with a header, the token is not one to be taken.
        try? JSONDecoder().decode(Fields.self, from: Data(bytes))
    }

    private struct Fields: Decodable {
        let alg: String
        let kid: String?
        let isCritical: Bool

        private enum CodingKeys: String, CodingKey {
            case alg, kid, crit
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            alg = try container.decode(String.self, forKey: .alg)
            kid = try container.decodeIfPresent(String.self, forKey: .kid)
            isCritical = container.contains(.crit)
        }
    }
}
