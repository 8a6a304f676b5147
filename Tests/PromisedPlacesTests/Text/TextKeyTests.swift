import PromisedPlaces
import PromisedTestMarks
import Testing

@Suite struct TextKeyTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var text: String
        var key: String
        var testDescription: String { text }

        init(_ text: String, _ key: String) {
            (self.text, self.key) = (text, key)
        }
    }

    static let rows = [
        // Keeps letters and digits, removes all else.
        Row("", ""),
        Row("  ", ""),
        Row("!?·…/()", ""),
        Row("광장시장", "광장시장"),
        Row("광장 시장", "광장시장"),
        Row("GS25 종로점", "gs25종로점"),
        Row("A-1 (별관)", "a1별관"),
        Row("4·19 기념관", "419기념관"),
        // Case folding.
        Row("STARBUCKS", "starbucks"),
        Row("Straße", "strasse"),
        Row("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
        Row("İstanbul", "istanbul"),
        // Compatible forms.
        Row("ＳＴＡＲＢＵＣＫＳ", "starbucks"),
        Row("ｽﾀｰﾊﾞｯｸｽ", "スターバックス"),
        Row("①②⑩", "1210"),
        Row("㈜책방", "주책방"),
        Row("㎏", "kg"),
        Row("ﬁn", "fin"),
        Row("𝓑𝓸𝓸𝓴", "book"),
        // Removes Latin diacritics, composed or not; keeps others.
        Row("Café", "cafe"),
        Row("Cafe\u{301}", "cafe"),
        Row("Ångström", "angstrom"),
        Row("Łódź", "lodz"),
        Row("Smørrebrød", "smorrebrod"),
        Row("ISPARTA ılıca", "ispartailica"),
        Row("Việt Nam", "vietnam"),
        Row("がらすどう", "がらすどう"),
        Row("か\u{3099}らすと\u{3099}う", "がらすどう"),
        Row("Йога", "йога"),
        Row("И\u{306}ога", "йога"),
        // Decomposed Hangul and single consonants are normalised by NFKC.
        Row("\u{1100}\u{116A}\u{11BC}\u{110C}\u{1161}\u{11BC}", "광장"),
        Row("과\u{11BC}", "광"),
        Row("ㄱㅈ", "\u{1100}\u{110C}"),
        Row("ㄱㅏ", "가"),
        // Marks between letters end no word and leave no trace; letter numbers and Japanese signs stay.
        Row("book\u{AD}shop", "bookshop"),
        Row("二〇三号", "二〇三号"),
        Row("代々木", "代々木"),
        Row("神田神保町１－２", "神田神保町12"),
    ]

    @Test(arguments: rows)
    func `a key has the letters and digits of the folded compatible form`(row: Row) {
        #expect(TextKey(row.text).description == row.key)
        #expect(TextKey(row.text).isEmpty == row.key.isEmpty)
    }

    @Test(arguments: [
        ("광장 시장", [0, 2]), ("  A-1 (별관)", [0, 1, 2]), ("책방", [0]), ("", []), ("Cafe\u{301} Roma", [0, 4]),
        ("book\u{AD}shop", [0]), ("O'Reilly", [0, 1]), ("😀 책방", [0]), ("𠀋 屋", [0, 2]),
    ])
    func `words begin after blanks and punctuation`(text: String, starts: [Int]) {
        #expect(TextKey(text).wordStarts == starts)
    }

    @Test func `sorts a key before its continuations`() {
        let keys = ["책", "책방", "책방 오월", "카페"].map(TextKey.init)
        #expect(keys.shuffled().sorted() == keys)
    }

    // MARK: - Against another implementation

    /// The version of Unicode that the tables were made from, and the sums that scripts/generate texts --golden
    /// prints; made with the normalisation of Python's unicodedata.
    private static let golden = (points: UInt64(0xBB2E_FDBD_0302_124A), texts: UInt64(0x258F_85B4_D27A_78FF))

    @Test(.proves("11.13")) func `the key of every code point equals another implementation's`() {
        var sum = Checksum()
        for point in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(point), isAssigned(scalar) else { continue }
            sum.add("\(String(point, radix: 16)) \(TextKey(String(scalar)))")
        }
        #expect(sum.value == Self.golden.points)
    }

    @Test func `the keys of random texts with marks equal another implementation's`() {
        var draws = Draws(state: 24)
        var sum = Checksum()
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<1 + draws.below(8) {
                let block = blocks[Int(draws.below(UInt64(blocks.count)))]
                let point = UInt32(block.0 + draws.below(block.1 - block.0))
                if let scalar = Unicode.Scalar(point) { text.append(scalar) }
            }
            sum.add(TextKey(String(text)).description)
        }
        #expect(sum.value == Self.golden.texts)
    }

    /// The code points that have a name in Unicode 14, and the control characters.
    private func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard let age = properties.age, (age.major, age.minor) <= (14, 0) else { return false }
        switch properties.generalCategory {
        case .privateUse, .surrogate, .unassigned: return false
        default: return true
        }
    }

    private let blocks: [(UInt64, UInt64)] = [
        (0x20, 0x7F), (0xC0, 0x250), (0x300, 0x345), (0x346, 0x370), (0x370, 0x400), (0x400, 0x530), (0x5B0, 0x5EA),
        (0x621, 0x660), (0x900, 0xA00), (0xB80, 0xE00), (0x1100, 0x1200), (0x1E00, 0x2000), (0x2000, 0x2070),
        (0x3041, 0x3100), (0x3099, 0x309B), (0x3130, 0x3190), (0x3300, 0x3400), (0xAC00, 0xD7A4), (0xFB00, 0xFE00),
        (0xFF00, 0xFFEF), (0x1_D400, 0x1_D800),
    ]
}

/// FNV-1a over texts, each followed by a zero byte.
private struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in Array(text.utf8) + [0] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

/// The linear congruential generator of scripts/lib/text_tables.py.
private struct Draws {
    var state: UInt64

    mutating func below(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
}
