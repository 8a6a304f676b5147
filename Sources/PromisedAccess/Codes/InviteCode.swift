/// A code that lets people join a promise: ten unambiguous characters, 50 bits (domain §4).
///
/// The alphabet is that of Crockford's base 32: digits and capital letters without I, L, O and U. Input is lenient:
/// small letters, spaces and hyphens, and I, L and O for 1 and 0.
package struct InviteCode: Hashable, Sendable {
    /// Characters of a code.
    package static let length = 10
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The code as it is shown and stored.
    package let text: String

    /// A new code. `generator` must be cryptographically secure outside tests.
    package init(using generator: inout some RandomNumberGenerator) {
        text = String(
            (0..<Self.length).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)] }
        )
    }

    /// The code that a user typed; nil if it is not a code.
    package init?(typed: String) {
        guard typed.utf8.count <= 4 * Self.length else { return nil }
        let characters = typed.uppercased().filter { $0 != " " && $0 != "-" }.map(Self.meant)
        guard characters.count == Self.length, characters.allSatisfy(Self.alphabet.contains) else { return nil }
        text = String(characters)
    }

    private static func meant(_ character: Character) -> Character {
        switch character {
        case "I", "L": "1"
        case "O": "0"
        default: character
        }
    }
}
