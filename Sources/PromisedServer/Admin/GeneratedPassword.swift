/// A password that the server makes: twenty characters that are not mistaken for each other, in groups of five.
///
/// Nearly 100 bits, and easy to read to somebody over the telephone.
struct GeneratedPassword {
    /// What is shown, once.
    let text: String

    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")

    /// A new password.
    ///
    /// - Parameter generator: must be cryptographically secure outside tests.
    init(using generator: inout some RandomNumberGenerator) {
        let groups = (0..<4).map { _ in
            String((0..<5).map { _ in Self.alphabet[Int.random(in: Self.alphabet.indices, using: &generator)] })
        }
        text = groups.joined(separator: "-")
    }
}
