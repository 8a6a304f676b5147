/// The arithmetic of Hangul (Unicode, section 3.12): a syllable is a leading consonant, a vowel and perhaps a final
/// consonant.
enum Hangul {
    /// All syllables, by leading consonant, then vowel, then final consonant.
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// The leading consonants of syllables.
    static let initials: ClosedRange<UInt32> = 0x1100...0x1112
    /// The vowels of syllables.
    static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
    /// The final consonants of syllables.
    static let finals: ClosedRange<UInt32> = 0x11A8...0x11C2

    /// The syllables with the same leading consonant.
    static let syllablesOfInitial: UInt32 = 588
    /// The syllables with the same leading consonant and vowel: one without a final consonant, then 27 with one.
    static let syllablesOfVowel: UInt32 = 28

    /// The syllable of a leading consonant and a vowel, or of a syllable without a final consonant and one; nil if the
    /// two do not compose.
    static func composite(of first: UInt32, _ second: UInt32) -> UInt32? {
        if initials.contains(first), vowels.contains(second) {
            let vowel = second - vowels.lowerBound
            return firstSyllable(ofInitial: first) + vowel * syllablesOfVowel
        }
        guard syllables.contains(first), finals.contains(second), final(of: first) == 0 else { return nil }
        return first + second - finals.lowerBound + 1
    }

    /// The first of the syllables with a leading consonant.
    static func firstSyllable(ofInitial initial: UInt32) -> UInt32 {
        syllables.lowerBound + (initial - initials.lowerBound) * syllablesOfInitial
    }

    /// The leading consonant of a syllable; a leading consonant itself; nil for anything else.
    static func initial(of point: UInt32) -> UInt32? {
        if initials.contains(point) { return point }
        guard syllables.contains(point) else { return nil }
        return initials.lowerBound + (point - syllables.lowerBound) / syllablesOfInitial
    }

    /// The last of the syllables that a person may be about to write; the first one is the given syllable.
    ///
    /// Without a final consonant it may get any, and its vowel may become a double one (ㅗ → ㅘ, ㅙ, ㅚ); with one, the
    /// consonant may become a double one (ㄹ → ㄺ…ㅀ).
    static func lastCompletion(of syllable: UInt32) -> UInt32 {
        switch final(of: syllable) {
        case 0:
            let vowel = (syllable - syllables.lowerBound) % syllablesOfInitial / syllablesOfVowel
            // ㅗ is continued by three vowels, ㅜ by three, ㅡ by one; they follow in the order of code points.
            let continued: UInt32 = vowel == 8 || vowel == 13 ? 3 : vowel == 18 ? 1 : 0
            return syllable + continued * syllablesOfVowel + syllablesOfVowel - 1
        // ㄱ → ㄲ, ㄳ; ㄴ → ㄵ, ㄶ; ㄹ → ㄺ…ㅀ; ㅂ → ㅄ.
        case 1, 4: return syllable + 2
        case 8: return syllable + 7
        case 17: return syllable + 1
        default: return syllable
        }
    }

    /// The consonants that keyboards join although they were typed one after the other: ㄱ and ㅅ become ㄳ.
    static func consonants(of cluster: UInt32) -> (UInt32, UInt32)? { clusters[cluster] }

    /// The number of the final consonant, 0 for none.
    private static func final(of syllable: UInt32) -> UInt32 { (syllable - syllables.lowerBound) % syllablesOfVowel }

    /// ㄳ, ㄵ, ㄶ, ㄺ, ㄻ, ㄼ, ㄽ, ㄾ, ㄿ, ㅀ and ㅄ, in the code points that NFKC turns them into.
    private static let clusters: [UInt32: (UInt32, UInt32)] = [
        0x11AA: (0x1100, 0x1109), 0x11AC: (0x1102, 0x110C), 0x11AD: (0x1102, 0x1112), 0x11B0: (0x1105, 0x1100),
        0x11B1: (0x1105, 0x1106), 0x11B2: (0x1105, 0x1107), 0x11B3: (0x1105, 0x1109), 0x11B4: (0x1105, 0x1110),
        0x11B5: (0x1105, 0x1111), 0x111A: (0x1105, 0x1112), 0x1121: (0x1107, 0x1109),
    ]
}
