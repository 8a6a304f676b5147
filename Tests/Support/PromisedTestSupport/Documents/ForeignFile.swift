/// A file of the wrong kind, as users pass it to a command.
package struct ForeignFile: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package let bytes: [UInt8]
    /// The name of the kind in messages.
    package let phrase: String

    private init(_ description: String, _ bytes: [UInt8], _ phrase: String) {
        (self.description, self.bytes, self.phrase) = (description, bytes, phrase)
    }

    private init(_ description: String, _ text: String, _ phrase: String) {
        self.init(description, Array(text.utf8), phrase)
    }

    /// One of each kind that no command reads.
    package static let all = [
        // Packed.
        ForeignFile("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 0x4C, 0xF2], "compressed by gzip: unpack"),
        ForeignFile("bzip2", Array("BZh91AY&SY".utf8) + [0xE7, 0x5C], "compressed by bzip2: unpack"),
        ForeignFile("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "compressed by xz: unpack"),
        ForeignFile("Zstandard", [0x28, 0xB5, 0x2F, 0xFD, 4, 0x58], "compressed by Zstandard: unpack"),
        ForeignFile("ZIP", entry("places.csv"), "a ZIP archive"),
        ForeignFile("KMZ", entry("doc.kml"), "a KMZ archive"),
        ForeignFile("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "a 7z archive"),
        // Of other programs.
        ForeignFile("XLSX", entry("[Content_Types].xml"), "an Office document such as XLSX"),
        ForeignFile("XLSX of a library", entry("xl/workbook.xml"), "an Office document such as XLSX"),
        ForeignFile("XLS", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "an old Office document"),
        ForeignFile("ODS", entry("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), "an OpenDocument file"),
        ForeignFile("PDF", "%PDF-1.7\n%\u{E2}\n1 0 obj", "a PDF document"),
        // Pictures.
        ForeignFile("HEIC", [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8), "a HEIC picture"),
        ForeignFile("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "a PNG picture"),
        ForeignFile("GIF", Array("GIF89a".utf8) + [1, 0, 1, 0], "a GIF picture"),
        ForeignFile("JPEG", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a JPEG picture"),
        // Pages and documents of elements.
        ForeignFile("HTML", "<!DOCTYPE html>\n<html><title>Sign in</title></html>", "an HTML page"),
        ForeignFile("HTML in capitals", "\r\n<HTML><BODY>404</BODY></HTML>", "an HTML page"),
        ForeignFile("KML", "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\"/>", "a KML document"),
        ForeignFile("TCX", "<?xml version=\"1.0\"?>\n<!-- a -->\n<TrainingCenterDatabase/>", "a TCX file"),
        ForeignFile("OSM", "<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">", "an XML document of Open"),
        // Tracks.
        ForeignFile("FIT", [14, 0x10, 0xD9, 7, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0], "a FIT file"),
        ForeignFile("NMEA", "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n", "an NMEA log"),
        // Texts in other encodings.
        ForeignFile("UTF-16LE", "name,lat\n가,1\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, "in UTF-16LE"),
        ForeignFile("UTF-16BE", "name,lat\n가,1\n".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, "in UTF-16BE"),
        ForeignFile("UTF-32", [0xFF, 0xFE, 0, 0, 0x6E, 0, 0, 0], "a text in UTF-32"),
        ForeignFile("nothing", [UInt8](), "the file is empty"),
    ]

    /// Data that some commands read, and the others do not.
    package static let data = [
        ForeignFile("GPX", "<gpx version=\"1.1\"><trk><trkseg/></trk></gpx>", "a GPX file"),
        ForeignFile("JSON", "{\n  \"places\": []\n}", "a JSON document"),
        ForeignFile("an array in JSON", "[\n {\"name\": \"A\"}\n]", "a JSON document"),
        ForeignFile("GeoJSON", "{\"type\":\"FeatureCollection\",\"features\":[]}", "a GeoJSON document"),
        ForeignFile("SQLite", Array("SQLite format 3\0".utf8) + [16, 0, 1, 1], "an SQLite database"),
    ]

    /// A ZIP archive up to its first entry.
    private static func entry(_ name: String, _ content: String = "") -> [UInt8] {
        let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let (size, length) = (UInt8(content.utf8.count), UInt8(name.utf8.count))
        return head + [size, 0, 0, 0, size, 0, 0, 0, length, 0, 0, 0] + Array((name + content).utf8)
    }
}
