import Foundation
import PromisedFormats
import Testing

/// Another program reads the finished pictures, where it is installed.
@Suite("Pictures read by ExifTool", .tags(.realTime), .timeLimit(.minutes(2)))
struct ExifToolTests {
    struct Picture: CustomTestStringConvertible, Sendable {
        let name: String
        let suffix: String
        let bytes: [UInt8]
        /// The remaining orientation; nil for a format without one.
        var orientation: Int?
        var testDescription: String { name }
    }

    private static let xmp = """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='37,33.99206N' \
        xmlns:aux='http://ns.adobe.com/exif/1.0/aux/' aux:SerialNumber='SN-77'/></rdf:RDF></x:xmpmeta>
        """

    static let pictures: [Picture] = {
        let telling = JPEGSample.segment(0xE1, "http://ns.adobe.com/xap/1.0/\0", Array(xmp.utf8))
        let jpegs = (1...8).map { orientation in
            let exif = JPEGSample.segment(0xE1, "Exif\0\0", PictureBytes.tellingTIFF(orientation: orientation))
            return Picture(
                name: "JPEG with orientation \(orientation)",
                suffix: "jpg",
                bytes: JPEGSample(applications: [exif, telling], behind: PictureBytes.film).bytes,
                orientation: orientation
            )
        }
        let text = PNGSample.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(xmp)".utf8))
        let png = PNGSample(before: [PNGSample.chunk("eXIf", PictureBytes.tellingTIFF()), text])
        let exif = WebPSample.chunk("EXIF", PictureBytes.tellingTIFF())
        let webP = WebPSample(chunks: [
            WebPSample.extended(0x0C), WebPSample.lossy, exif, WebPSample.chunk("XMP ", Array(xmp.utf8)),
        ])
        return jpegs + [
            Picture(name: "PNG", suffix: "png", bytes: png.bytes),
            Picture(name: "WebP", suffix: "webp", bytes: webP.bytes),
        ]
    }()

    /// Groups of tags about the file itself and the picture's look.
    private static let harmless: Set<String> = [
        "ExifTool", "System", "File", "PNG", "RIFF", "Composite", "JFIF", "ICC_Profile",
    ]

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: exiftool), "libimage-exiftool-perl is not installed"),
        arguments: pictures
    )
    func `a cleaned picture has no place, device and maker's note, but its orientation`(
        picture: Picture
    ) throws {
        let sent = try Self.tags(of: picture.bytes, picture.suffix)
        // ExifTool finds the tags before cleaning.
        for telling in ["GPS:GPSLatitude", "ExifIFD:SerialNumber", "XMP-aux:SerialNumber", "XMP-exif:GPSLatitude"] {
            #expect(sent[telling] != nil, "\(telling) in \(sent.keys.sorted())")
        }
        #expect(sent.keys.contains { $0.contains("MakerNote") })
        let image = try CleanedImage(cleaning: picture.bytes)
        let left = try Self.tags(of: image.bytes, picture.suffix)
        #expect(left["ExifTool:Error"] == nil && left["ExifTool:Warning"] == nil)
        let orientation = picture.orientation ?? 1
        #expect(image.orientation == orientation)
        #expect(left["IFD0:Orientation"] == (orientation == 1 ? nil : "\(orientation)"))
        let others = left.keys.filter { key in
            key != "IFD0:Orientation" && !Self.harmless.contains(String(key.prefix { $0 != ":" }))
        }
        #expect(others == [], "\(others)")
        #expect(!left.keys.contains { $0.contains("GPS") || $0.contains("Serial") || $0.contains("Maker") })
    }

    // MARK: - The program

    private static let exiftool = "/usr/bin/exiftool"

    /// All tags that it finds, including unknown ones, by group and name, as numbers where possible.
    private static func tags(of bytes: [UInt8], _ suffix: String) throws -> [String: String] {
        let name = "promised-picture-\(UUID().uuidString).\(suffix)"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        defer {
            // A temporary file: the system removes it if this fails.
            try? FileManager.default.removeItem(at: file)
        }
        try Data(bytes).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: exiftool)
        process.arguments = ["-G1", "-a", "-u", "-ee", "-n", "-s", "-json", file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let told = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let documents = try #require(try JSONSerialization.jsonObject(with: told) as? [[String: Any]])
        return try #require(documents.first).filter { $0.key != "SourceFile" }.mapValues { "\($0)" }
    }
}

extension PictureBytes {
    /// A TIFF structure as phones write it: orientation, a maker's note, the camera's serial number and the place.
    static func tellingTIFF(orientation: Int = 6) -> [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            let padding = [UInt8](repeating: 0, count: max(0, 4 - value.count))
            return bigEndian(tag, 2) + bigEndian(type, 2) + bigEndian(count, 4) + value + padding
        }
        func directory(_ entries: [[UInt8]]) -> [UInt8] {
            bigEndian(entries.count, 2) + entries.flatMap { $0 } + bigEndian(0, 4)
        }
        let (note, serial) = (Array("Note of the maker".utf8), Array("SN-12345678\0".utf8))
        let exif = 8 + 2 + 4 * 12 + 4
        let values = exif + 2 + 2 * 12 + 4
        let gps = values + note.count + serial.count
        let first = directory([
            entry(0x010F, 2, 4, Array("Cam\0".utf8)), entry(0x0112, 3, 1, bigEndian(orientation, 2)),
            entry(0x8769, 4, 1, bigEndian(exif, 4)), entry(0x8825, 4, 1, bigEndian(gps, 4)),
        ])
        let second = directory([
            entry(0x927C, 7, note.count, bigEndian(values, 4)),
            entry(0xA431, 2, serial.count, bigEndian(values + note.count, 4)),
        ])
        let third = directory([
            entry(0x0001, 2, 2, Array("N\0".utf8)), entry(0x0002, 5, 3, bigEndian(gps + 2 + 2 * 12 + 4, 4)),
        ])
        return Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8, 4) + first + second + note + serial + third + position
    }
}
