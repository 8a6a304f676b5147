/// The encodings of text files, by the names that operators use.
///
/// Decoding goes through the system's iconv, except for UTF-8, which is only checked.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
    /// With or without a byte order mark.
    case utf8 = "UTF-8"
    /// The byte order mark decides; without one little endian, as written by Windows programs.
    case utf16 = "UTF-16"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    /// Korean of Windows; includes all of EUC-KR.
    case cp949 = "CP949"
    /// Decoded as CP949: glibc's own EUC-KR turns the bytes of additional syllables into control characters.
    case eucKR = "EUC-KR"
    /// Decoded as code page 932 of Windows, whose additions (①, ㈱) occur in most files of this name.
    case shiftJIS = "Shift_JIS"
    case eucJP = "EUC-JP"
    case gb18030 = "GB18030"
    case big5 = "Big5"
    case windows1252 = "windows-1252"

    /// The encoding with a name, regardless of case and of `-`, `_` and blanks.
    ///
    /// - Throws: ``FormatError/unknownEncoding(name:known:)``.
    package init(named name: String) throws(FormatError) {
        let key = Self.key(name)
        if let alias = Self.aliases[key] {
            self = alias
        } else if let encoding = Self.allCases.first(where: { Self.key($0.rawValue) == key }) {
            self = encoding
        } else {
            throw .unknownEncoding(name: name, known: Self.allCases.map(\.rawValue))
        }
    }

    /// The encoding whose byte order mark a file begins with; nil without one.
    ///
    /// - Parameter start: the first bytes of the file; three are enough.
    package init?(byteOrderMark start: some Collection<UInt8>) {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            self = .utf8
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else {
            return nil
        }
    }

    /// The name by which iconv knows the encoding.
    var iconvName: String {
        switch self {
        case .eucKR: "CP949"
        case .shiftJIS: "CP932"
        case .windows1252: "CP1252"
        default: rawValue
        }
    }

    /// The number of bytes to skip where the text is malformed.
    var unitBytes: Int {
        switch self {
        case .utf16, .utf16LittleEndian, .utf16BigEndian: 2
        default: 1
        }
    }

    private static let aliases: [String: TextEncoding] = [
        "ms949": .cp949, "uhc": .cp949, "euckr": .eucKR, "sjis": .shiftJIS, "cp932": .shiftJIS, "ms932": .shiftJIS,
        "windows31j": .shiftJIS, "cp1252": .windows1252,
    ]

    private static func key(_ name: String) -> String {
        name.lowercased().filter { !"-_ ".contains($0) }
    }
}
