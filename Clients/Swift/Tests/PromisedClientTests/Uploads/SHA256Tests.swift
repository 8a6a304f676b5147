import Testing

@testable import PromisedClient

@Suite struct SHA256Tests {
    /// From FIPS 180-2, appendix B, and the empty text.
    private static let standard = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test(arguments: standard) func `the digest is that of the standard`(text: String, digest: String) {
        #expect(SHA256.hex(of: text.utf8) == digest)
    }

    @Test func `accepts bytes in pieces of any length`() {
        var hash = SHA256()
        var (left, length) = (100_000, 1)
        while left > 0 {
            let piece = min(left, length)
            hash.update(repeatElement(UInt8(ascii: "a"), count: piece))
            (left, length) = (left - piece, length % 211 + 3)
        }
        #expect(hash.hex() == "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee")
    }

    /// Computed with `sha256sum` for this number of bytes `x`, around the ends of a block.
    private static let lengths = [
        (55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"),
        (56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"),
        (63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"),
        (64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"),
        (65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"),
        (119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"),
        (120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"),
        (128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"),
    ]

    @Test(arguments: lengths) func `pads at the end of a block`(count: Int, digest: String) {
        #expect(SHA256.hex(of: repeatElement(UInt8(ascii: "x"), count: count)) == digest)
    }
}
