import PromisedFormats
import PromisedTestMarks
import Testing

@Suite struct FoundFormatTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        let format: FoundFormat?
        var testDescription: String { name }
    }

    /// A box `ftyp` with a major brand and compatible ones.
    private static func boxes(_ brands: String...) -> [UInt8] {
        let content = Array(brands[0].utf8) + [0, 0, 0, 0] + brands.dropFirst().flatMap { Array($0.utf8) }
        return PictureBytes.bigEndian(content.count + 8, 4) + Array("ftyp".utf8) + content + [0, 0, 0, 8, 0x6D, 0x64]
    }

    private static let cases = [
        Case(name: "HEIC", bytes: boxes("heic", "mif1", "heic"), format: .heic),
        Case(name: "HEIC of an iPhone", bytes: boxes("heic", "mif1", "MiHE", "miaf", "heic", "tmap"), format: .heic),
        Case(name: "HEIF by its brands", bytes: boxes("mif1", "miaf", "heix"), format: .heic),
        Case(name: "HEIF without a codec", bytes: boxes("mif1", "miaf"), format: .heic),
        Case(name: "AVIF", bytes: boxes("avif", "mif1"), format: .avif),
        Case(name: "AVIF by its brands", bytes: boxes("mif1", "miaf", "avif"), format: .avif),
        Case(name: "MP4", bytes: PictureBytes.film, format: .film),
        Case(name: "QuickTime", bytes: boxes("qt  "), format: .film),
        Case(name: "little-endian TIFF", bytes: [0x49, 0x49, 42, 0, 8, 0, 0, 0], format: .tiff),
        Case(name: "big-endian TIFF", bytes: PictureBytes.tiff(), format: .tiff),
        Case(name: "GIF", bytes: Array("GIF89a".utf8), format: .gif),
        Case(name: "BMP", bytes: Array("BM\u{46}\0\0\0".utf8), format: .bmp),
        Case(name: "gzip", bytes: [0x1F, 0x8B, 8, 0], format: .gzip),
        Case(name: "PDF", bytes: Array("%PDF-1.7".utf8), format: .pdf),
        Case(name: "ZIP", bytes: [0x50, 0x4B, 0x03, 0x04, 20, 0], format: .zip),
        Case(name: "RAR", bytes: Array("Rar!\u{1A}\u{7}\u{1}\0".utf8), format: .rar),
        Case(name: "7z", bytes: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], format: .sevenZip),
        Case(name: "JPEG XL", bytes: [0xFF, 0x0A, 0xFA], format: .jpegXL),
        Case(name: "JPEG XL in boxes", bytes: Array("\0\0\0\u{C}JXL \r\n".utf8), format: .jpegXL),
        Case(name: "SVG", bytes: Array("<?xml version=\"1.0\"?>\n<svg width=\"1\"/>".utf8), format: .svg),
        Case(name: "HTML", bytes: Array("\n<!DOCTYPE html><html>".utf8), format: .html),
        Case(name: "KML", bytes: Array("\u{FEFF}<kml/>".utf8), format: .kml),
        Case(name: "GPX behind a comment", bytes: Array("<?xml?><!-- > --><g:gpx/>".utf8), format: .gpx),
        Case(name: "other elements", bytes: Array("<?xml version='1.0'?><!DOCTYPE a><a/>".utf8), format: .xml),
        Case(name: "a text of two letters", bytes: Array("BMI,name".utf8), format: nil),
        Case(name: "JSON", bytes: Array(" {\n \"a\": 1}".utf8), format: .json),
        Case(name: "a text in brackets", bytes: Array("[id],name".utf8), format: nil),
        Case(name: "one NUL", bytes: Array("a,b\0\n".utf8), format: nil),
        Case(name: "NUL on both sides", bytes: Array("a\0b\0\0c".utf8), format: nil),
        Case(name: "FIT", bytes: [14, 0x10, 0xD9, 0x07, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0], format: .fit),
        Case(name: "UTF-16", bytes: [0xFF, 0xFE, 0x3C, 0], format: .utf16),
        Case(name: "JPEG", bytes: JPEGSample().bytes, format: .jpeg),
        Case(name: "PNG", bytes: PNGSample().bytes, format: .png),
        Case(name: "WebP", bytes: WebPSample().bytes, format: .webP),
        Case(name: "a text", bytes: Array("no picture".utf8), format: nil),
        Case(name: "sound", bytes: Array("RIFF\u{10}\0\0\0WAVEfmt ".utf8), format: nil),
        Case(name: "nothing", bytes: [], format: nil),
    ]

    @Test(.proves("12.11", "file.unsupported"), arguments: cases) func `recognizes the format by the first bytes`(
        found: Case
    ) {
        #expect(FoundFormat(sniffing: found.bytes) == found.format)
        // For any length of the file.
        for length in 0..<min(found.bytes.count, 16) { _ = FoundFormat(sniffing: found.bytes.prefix(length)) }
    }

    @Test func `a refusal names the format found, distinct from damage`() {
        for found in Self.cases where ![.jpeg, .png, .webP].contains(found.format) {
            let error = #expect(throws: ImageProblem.unknownFormat(found.format)) {
                try CleanedImage(cleaning: found.bytes)
            }
            let sentence = error?.description ?? ""
            #expect(sentence.contains(found.format?.rawValue ?? "not a picture") && !sentence.contains("damaged"))
        }
        let cut = #expect(throws: ImageProblem.truncated) { try CleanedImage(cleaning: PNGSample().bytes.dropLast(1)) }
        #expect(cut?.description.contains("cut off") == true)
    }
}
