import PromisedDomain
import PromisedFormats

/// An archive for tests.
enum ZIPSample {
    /// 2019-11-29T12:00:05.999Z.
    static let noon = Instant(milliseconds: 1_575_028_805_999)

    /// An archive with an entry of known bytes, one that is streamed, and empty ones.
    static func archive() throws -> [UInt8] {
        var (writer, output) = (ZIPWriter(), [UInt8]())
        try writer.add("README", Array("123456789".utf8), modified: noon, into: &output)
        try writer.begin("코스/길 🚲.gpx", modified: noon, into: &output)
        for piece in ["1234", "", "56789"] { try writer.append(Array(piece.utf8), into: &output) }
        writer.end(into: &output)
        try writer.add("empty", [], modified: noon, into: &output)
        try writer.begin("empty too", modified: noon, into: &output)
        writer.end(into: &output)
        writer.finish(into: &output)
        return output
    }
}
