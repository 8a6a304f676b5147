import PromisedFormats
import PromisedTestMarks
import Testing

/// The line of an error shows how far a file was read: reading stops at the limit in files of any length.
@Suite struct GPXLimitTests {
    private static func fault(_ content: String) -> GPXError? {
        do throws(GPXError) {
            _ = try GPXFile(GPXSamples.bytes(content))
            return nil
        } catch {
            return error
        }
    }

    private static func lines(_ line: String, _ count: Int) -> String { String(repeating: line + "\n", count: count) }

    @Test func `reads 20 tracks and routes and rejects the 21st`() throws {
        let most = Self.lines("<trk/>", 10) + Self.lines("<rte/>", 10)
        #expect(try GPXFile(GPXSamples.bytes(most)).document.tracks.count == 20)
        #expect(Self.fault(most + "<rte/>") == .tooMuch(line: 22, .tracks))
        #expect(Self.fault(most + Self.lines("<trk/>", 10)) == .tooMuch(line: 22, .tracks))
    }

    @Test(arguments: [("trk", "trkpt"), ("rte", "rtept")])
    func `reads 100,000 points of each track, dropped ones included`(
        track: String,
        point: String
    ) throws {
        let (open, close) = track == "trk" ? ("<trk><trkseg>\n", "</trkseg></trk>\n") : ("<rte>\n", "</rte>\n")
        let read = #"<\#(point) lat="1" lon="2"/>"# + "\n"
        let most = open + Self.lines("<\(point)/>", 99_999) + read
        let file = try GPXFile(GPXSamples.bytes(most + close + open + read + close))
        #expect(file.points.count == 2 && file.droppedCount == 99_999)
        #expect(Self.fault(most + Self.lines(read, 1_000) + close) == .tooMuch(line: 100_003, .points))
    }

    @Test func `counts the points of all segments of a track`() {
        let segment = "<trkseg>\n" + Self.lines("<trkpt/>", 50_000) + "</trkseg>\n"
        #expect(Self.fault("<trk>\n\(segment)\(segment)</trk>") == nil)
        let more = "<trkseg><trkpt/></trkseg>"
        #expect(Self.fault("<trk>\n\(segment)\(segment)\(more)</trk>") == .tooMuch(line: 100_007, .points))
    }

    @Test func `reads 10,000 way-points and rejects the next`() throws {
        let most = Self.lines("<wpt/>", 9_999) + Self.lines(#"<wpt lat="1" lon="2"/>"#, 1)
        #expect(try GPXFile(GPXSamples.bytes(most)).document.waypoints.count == 1)
        #expect(Self.fault(most + "<wpt/>") == .tooMuch(line: 10_002, .waypoints))
    }

    @Test(.proves("17.7"), .defends("costly-gpx"))
    func `rejects a million empty segments after 10,000`() throws {
        #expect(try GPXFile(GPXSamples.bytes("<trk>\(Self.lines("<trkseg/>", 10_000))</trk>")).points.isEmpty)
        let error = Self.fault("<trk>\n" + Self.lines("<trkseg/>", 1_000_000) + "</trk>")
        #expect(error == .tooMuch(line: 10_003, .segments))
        #expect(error?.description == "line 10003: more than 10000 segments")
    }

    @Test(.defends("costly-gpx")) func `reads 64 nested elements and rejects one more`() {
        let open = Self.lines("<a>", 63)
        #expect(Self.fault(open + String(repeating: "</a>", count: 63)) == nil)
        #expect(Self.fault(open + "<a/>") == .malformed(line: 65, .depth))
        #expect(Self.fault(Self.lines("<a>", 100_000)) == .malformed(line: 65, .depth))
    }

    @Test func `reads 64 attributes of an element and rejects one more`() {
        let most = (0..<64).map { "a\($0)=''" }.joined(separator: "\n")
        #expect(Self.fault("<b\n\(most)/>") == nil)
        #expect(Self.fault("<b\n\(most)\nc=''/>") == .malformed(line: 67, .attributes))
    }

    @Test func `reads 64 namespaces, which end with their elements`() {
        // The file itself declares two.
        let most = (0..<62).map { "<a\nxmlns:a\($0)='urn:a'>" }.joined()
        let close = String(repeating: "</a>", count: 62)
        #expect(Self.fault("<a xmlns:b='urn:b'/>\n" + most + close) == nil)
        let small = (0..<31).map { "xmlns:a\($0)='urn:a'" }.joined(separator: " ")
        #expect(Self.fault("<b \(small)><b \(small)/><b \(small)/></b>") == nil)
        #expect(Self.fault("<b \(small)><b \(small)\nxmlns='u'/></b>") == .malformed(line: 3, .namespaces))
    }

    @Test(.defends("costly-gpx")) func `reads 16 MiB and rejects one byte more`() throws {
        let empty = GPXSamples.bytes("")
        let space = [UInt8](repeating: 0x20, count: 16 * 1_024 * 1_024 - empty.count)
        #expect(try GPXFile(empty + space).points.isEmpty)
        #expect(throws: GPXError.tooMuch(line: 1, .size)) { try GPXFile(empty + space + [0x20]) }
    }
}
