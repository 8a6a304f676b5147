/// The actual format of a file that is not the expected one, by its first bytes, so that a refusal names it.
package enum FoundFormat: String, Hashable, Sendable, CaseIterable {
    case avif = "an AVIF picture"
    case bmp = "a BMP picture"
    case bzip2 = "compressed by bzip2"
    case fit = "a FIT file of a sports watch"
    case geoJSON = "a GeoJSON document"
    case gif = "a GIF picture"
    case gpx = "a GPX file"
    case gzip = "compressed by gzip"
    case heic = "a HEIC picture"
    case html = "an HTML page"
    case icon = "an icon"
    case jpeg = "a JPEG picture"
    case jpeg2000 = "a JPEG 2000 picture"
    case jpegXL = "a JPEG XL picture"
    case json = "a JSON document"
    case kml = "a KML document"
    case kmz = "a KMZ archive"
    case film = "a film"
    case nmea = "an NMEA log of a receiver"
    case office = "an Office document such as XLSX"
    case oldOffice = "an old Office document such as XLS"
    case openDocument = "an OpenDocument file such as ODS"
    case openStreetMap = "an XML document of OpenStreetMap"
    case pdf = "a PDF document"
    case photoshop = "a Photoshop document"
    case png = "a PNG picture"
    case rar = "a RAR archive"
    case sevenZip = "a 7z archive"
    case shapefile = "a shapefile"
    case sqlite = "an SQLite database"
    case svg = "an SVG drawing"
    case tcx = "a TCX file of a sports watch"
    case tiff = "a TIFF picture or a camera's raw data"
    case utf16 = "a text in UTF-16"
    case utf16BigEndian = "a text in UTF-16BE without a byte order mark"
    case utf16LittleEndian = "a text in UTF-16LE without a byte order mark"
    case utf32 = "a text in UTF-32"
    case webP = "a WebP picture"
    case xml = "an XML document"
    case xz = "compressed by xz"
    case zip = "a ZIP archive"
    case zstandard = "compressed by Zstandard"

    /// The number of first bytes that determine a format, except for the kind of an XML document after long comments.
    package static let startLength = 64
    /// The maximum number of bytes that are examined.
    private static let longestStart = 1_024

    /// The format by the first bytes of a file; nil if unknown or without bytes.
    ///
    /// - Parameter bytes: the first ``startLength`` bytes or more, or all if there are fewer.
    package init?(sniffing bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.longestStart))
        if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
        } else if let found = Self.boxed(start) ?? Self.packed(start)
            ?? Self.signatures.first(where: { start.starts(with: $0.bytes) })?.format
        {
            self = found
        } else if start.dropFirst(8).starts(with: ".FIT".utf8) {
            self = .fit
        } else if start.starts(with: "BM".utf8), start.prefix(10).contains(0) {
            // Two letters alone may begin a text.
            self = .bmp
        } else if let found = Self.text(start) ?? Self.unmarked(start) {
            self = found
        } else {
            return nil
        }
    }

    /// A part of a sentence about a file of this format in place of another: `the file is a ZIP archive, not CSV:
    /// unpack it first`.
    ///
    /// - Parameters:
    ///   - expected: the expected formats, such as `GPX`.
    ///   - advice: for a file that is neither packed nor a text in another encoding; nil: the advice to export it as
    ///     `expected`, if it is data.
    package func sentence(insteadOf expected: String, advice: String? = nil) -> String {
        switch self {
        case .bzip2, .gzip, .xz, .zstandard: "the file is \(rawValue): unpack it first"
        case .kmz, .rar, .sevenZip, .zip: "the file is \(rawValue), not \(expected): unpack it first"
        case .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32: "the file is \(rawValue): save it in UTF-8"
        case _ where advice != nil: "the file is \(rawValue), not \(expected): \(advice ?? "")"
        case .html: "the file is \(rawValue), not \(expected): download the data itself"
        case .fit, .geoJSON, .gpx, .json, .kml, .nmea, .office, .oldOffice, .openDocument, .openStreetMap, .shapefile,
            .sqlite, .tcx, .xml:
            "the file is \(rawValue), not \(expected): export it as \(expected)"
        case .avif, .bmp, .film, .gif, .heic, .icon, .jpeg, .jpeg2000, .jpegXL, .pdf, .photoshop, .png, .svg, .tiff,
            .webP:
            "the file is \(rawValue), not \(expected): name another file"
        }
    }

    private static let signatures: [(bytes: [UInt8], format: FoundFormat)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (Array("GIF8".utf8), .gif), ([0x1F, 0x8B], .gzip), (Array("II*\0".utf8), .tiff),
        (Array("MM\0*".utf8), .tiff), (Array("II+\0".utf8), .tiff), (Array("MM\0+".utf8), .tiff),
        (Array("%PDF-".utf8), .pdf), (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip),
        (Array("Rar!\u{1A}\u{7}".utf8), .rar), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        (Array("8BPS".utf8), .photoshop), ([0, 0, 1, 0], .icon), ([0xFF, 0x0A], .jpegXL),
        (Array("\0\0\0\u{C}JXL ".utf8), .jpegXL), (Array("\0\0\0\u{C}jP  ".utf8), .jpeg2000),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .xz), ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], .oldOffice), (Array("SQLite format 3\0".utf8), .sqlite),
        ([0, 0, 0x27, 0x0A], .shapefile), ([0xFF, 0xFE, 0, 0], .utf32), ([0, 0, 0xFE, 0xFF], .utf32),
        ([0xFF, 0xFE], .utf16), ([0xFE, 0xFF], .utf16),
    ]

    /// The format of a ZIP archive, by the name of its first entry, and of bzip2, whose magic number has two parts.
    private static func packed(_ start: [UInt8]) -> FoundFormat? {
        if start.starts(with: "BZh".utf8), start.dropFirst(4).starts(with: "1AY&SY".utf8) { return .bzip2 }
        // A local file header (APPNOTE 4.3.7): its name begins at 30.
        guard start.starts(with: "PK\u{3}\u{4}".utf8), start.count > 30 else { return nil }
        let name = start[30...]
        let office = ["[Content_Types].xml", "_rels/", "docProps/", "xl/", "word/"]
        if office.contains(where: { name.starts(with: $0.utf8) }) { return .office }
        if name.starts(with: "mimetypeapplication/vnd.oasis".utf8) { return .openDocument }
        return name.starts(with: "doc.kml".utf8) ? .kmz : nil
    }

    /// The format of a file of boxes (ISO/IEC 14496-12), by the first known brand.
    private static func boxed(_ start: [UInt8]) -> FoundFormat? {
        guard start.count >= 12, start[4...].starts(with: "ftyp".utf8) else { return nil }
        let length = start[..<4].reduce(0) { $0 << 8 | Int($1) }
        let brands = stride(from: 8, to: min(max(length, 12), start.count - 3), by: 4).map { offset in
            String(decoding: start[offset..<offset + 4], as: UTF8.self)
        }
        for brand in brands {
            switch brand {
            case "avif", "avis": return .avif
            case "heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs": return .heic
            default: break
            }
        }
        return brands.contains { $0 == "mif1" || $0 == "msf1" } ? .heic : .film
    }

    /// The format of a text in UTF-8, or in another encoding that begins with ASCII.
    private static func text(_ start: [UInt8]) -> FoundFormat? {
        let text = String(decoding: start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...], as: UTF8.self)
        let trimmed = text.drop { $0.isWhitespace }
        switch trimmed.first {
        case "<": return markup(trimmed.lowercased()[...])
        case "{", "[":
            guard let next = trimmed.dropFirst().first(where: { !$0.isWhitespace }), "\"{}[]".contains(next) else {
                return nil
            }
            return trimmed.contains("\"FeatureCollection\"") ? .geoJSON : .json
        case "$" where ["$GP", "$GN"].contains(trimmed.prefix(3)): return .nmea
        default: return nil
        }
    }

    private static let roots: [Substring: FoundFormat] = [
        "html": .html, "svg": .svg, "gpx": .gpx, "kml": .kml, "trainingcenterdatabase": .tcx, "osm": .openStreetMap,
        "osmchange": .openStreetMap,
    ]

    /// The format of a text of elements in lower case, by its first element; any kind of markup if that is unknown.
    private static func markup(_ text: Substring) -> FoundFormat {
        var rest = text
        while rest.hasPrefix("<?") || rest.hasPrefix("<!") {
            if rest.hasPrefix("<!doctype html") { return .html }
            let end = rest.firstRange(of: rest.hasPrefix("<!--") ? "-->" : ">")?.upperBound ?? rest.endIndex
            rest = rest[end...].drop { $0.isWhitespace }
        }
        let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        return roots[name.split(separator: ":").last ?? ""] ?? .xml
    }

    /// The format of a text in UTF-16 without a mark, whose ASCII characters have NUL as their other byte, on the same
    /// side; few other characters have one on the other side, such as U+AC00.
    private static func unmarked(_ start: [UInt8]) -> FoundFormat? {
        let nulls = start.indices.filter { start[$0] == 0 }
        let odd = nulls.filter { $0 % 2 == 1 }
        let isLittle = odd.count * 2 > nulls.count
        let many = isLittle ? odd : nulls.filter { $0 % 2 == 0 }
        guard many.count >= 2, (nulls.count - many.count) * 4 <= many.count else { return nil }
        let areASCII = many.allSatisfy { null in
            let other = isLittle ? null - 1 : null + 1
            guard other < start.count else { return true }
            return (0x20..<0x7F).contains(start[other]) || [0x09, 0x0A, 0x0D].contains(start[other])
        }
        guard areASCII else { return nil }
        return isLittle ? .utf16LittleEndian : .utf16BigEndian
    }
}
