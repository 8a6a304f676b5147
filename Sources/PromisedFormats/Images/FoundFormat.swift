/// A format that is not taken as a picture or a track, as its first bytes tell, so that a refusal names what was found.
package enum FoundFormat: String, Hashable, Sendable, CaseIterable {
    case avif = "an AVIF picture"
    case bmp = "a BMP picture"
    case fit = "a FIT file of a sports watch"
    case gif = "a GIF picture"
    case gzip = "compressed by gzip"
    case heic = "a HEIC picture"
    case html = "an HTML page"
    case icon = "an icon"
    case jpeg = "a JPEG picture"
    case jpeg2000 = "a JPEG 2000 picture"
    case jpegXL = "a JPEG XL picture"
    case film = "a film"
    case pdf = "a PDF document"
    case photoshop = "a Photoshop document"
    case png = "a PNG picture"
    case rar = "a RAR archive"
    case sevenZip = "a 7z archive"
    case svg = "an SVG drawing"
    case tiff = "a TIFF picture or a camera's raw data"
    case utf16 = "a text in UTF-16"
    case webP = "a WebP picture"
    case xml = "an XML document"
    case zip = "a ZIP archive"

    /// How many of the first bytes tell a format.
    package static let startLength = 64

    /// The format that the first bytes of a file tell; nil for all others, and for none.
    ///
    /// - Parameter bytes: the first ``startLength`` bytes, or all if there are fewer.
    package init?(sniffing bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.startLength))
        if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
        } else if let found = Self.boxed(start)
            ?? Self.signatures.first(where: { start.starts(with: $0.bytes) })?.format
        {
            self = found
        } else if start.dropFirst(8).starts(with: ".FIT".utf8) {
            self = .fit
        } else if let found = Self.markup(start) {
            self = found
        } else {
            return nil
        }
    }

    private static let signatures: [(bytes: [UInt8], format: FoundFormat)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (Array("GIF8".utf8), .gif), (Array("BM".utf8), .bmp), ([0x1F, 0x8B], .gzip), (Array("II*\0".utf8), .tiff),
        (Array("MM\0*".utf8), .tiff), (Array("II+\0".utf8), .tiff), (Array("MM\0+".utf8), .tiff),
        (Array("%PDF-".utf8), .pdf), (Array("PK\u{3}\u{4}".utf8), .zip), (Array("PK\u{5}\u{6}".utf8), .zip),
        (Array("Rar!\u{1A}\u{7}".utf8), .rar), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        (Array("8BPS".utf8), .photoshop), ([0, 0, 1, 0], .icon), ([0xFF, 0x0A], .jpegXL),
        (Array("\0\0\0\u{C}JXL ".utf8), .jpegXL), (Array("\0\0\0\u{C}jP  ".utf8), .jpeg2000), ([0xFF, 0xFE], .utf16),
        ([0xFE, 0xFF], .utf16),
    ]

    /// The format of a file of boxes (ISO/IEC 14496-12), by the first of its brands that names one.
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

    /// The format of a text of elements, whose first name lies within the start.
    private static func markup(_ start: [UInt8]) -> FoundFormat? {
        let text = String(decoding: start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...], as: UTF8.self)
        let trimmed = text.drop { $0.isWhitespace }.lowercased()
        guard trimmed.hasPrefix("<") else { return nil }
        if trimmed.hasPrefix("<!doctype html") || trimmed.hasPrefix("<html") { return .html }
        return trimmed.contains("<svg") ? .svg : .xml
    }
}
