/// How many columns of a terminal text takes.
enum TextWidth {
    /// Scripts whose characters take two columns: those of Unicode's East_Asian_Width W and F that are no emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// Columns of a line without control characters.
    static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// 2 for East Asian wide characters and emoji, 0 for what only changes others, else 1.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains(where: isWide) { return 2 }
        return scalars.allSatisfy(hasNoWidth) ? 0 : 1
    }

    /// As much of a line as fits, with an ellipsis where something is missing.
    static func clip(_ text: String, to limit: Int) -> String {
        guard columns(of: text) > limit else { return text }
        var clipped = ""
        var width = 0
        for character in text {
            width += columns(of: character)
            guard width < limit else { break }
            clipped.append(character)
        }
        return limit > 0 ? clipped + "…" : ""
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        // U+FE0F asks for the emoji form of the character before it.
        if scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F { return true }
        return wide.contains { $0.contains(scalar.value) }
    }

    private static func hasNoWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }
}
