extension String {
    /// The text on one line, without what could move the cursor or change what stands elsewhere: others chose it.
    ///
    /// Control characters and those that turn the direction of text become U+FFFD, line ends become spaces.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map(Self.printable)))
    }

    private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: scalar
        }
    }
}
