import PromisedDomain
import PromisedFormats
import PromisedTestMarks
import Testing

/// Truncated files: a program was still writing, or crashed, or only a part was sent.
@Suite struct GPXCutTests {
    private static let points = (1...6).map { #"<trkpt lat="1" lon="\#($0)"><ele>\#($0)</ele></trkpt>"# }

    private static let text = Array(
        """
        <gpx version="1.1"><metadata><name>whole</name></metadata>
        <trk><name>é</name><trkseg>\(points[0])
        \(points[1])</trkseg>
        <trkseg>\(points[2])</trkseg></trk><rte><name>other</name>
        <rtept lat="40" lon="1"/><rtept lat="40" lon="2"><ele>3</ele></rtept></rte>
        <trk><trkseg>\(points[3])\(points[4])\(points[5])</trkseg></trk></gpx>
        """.utf8
    )

    @Test(.proves("17.7")) func `reads all complete points of a file truncated anywhere`() throws {
        let whole = try GPXFile(Self.text).document
        #expect(whole.tracks.map { $0.segments.map(\.count) } == [[2, 1], [2], [3]])
        let ends = ["</trkpt>", "<rtept lat=\"40\" lon=\"1\"/>", "</rtept>"]
        for count in 0..<Self.text.count {
            let part = String(decoding: Self.text[..<count], as: UTF8.self)
            let expected = ends.reduce(0) { $0 + part.split(separator: $1, omittingEmptySubsequences: false).count - 1 }
            let file = try? GPXFile(Array(Self.text[..<count]))
            #expect((file?.points.count ?? 0) == expected, "\(count) bytes")
            guard let file else { continue }
            #expect(file.points == Array(whole.tracks.flatMap { $0.segments.joined() }.prefix(expected)))
            #expect(file.brokenOffLine == part.split(separator: "\n", omittingEmptySubsequences: false).count)
            #expect(file.document.name == "whole" && file.droppedCount == 0)
            #expect(file.document.tracks.first?.name == "é")
        }
    }

    @Test func `rejects a file without a complete point, with the position of its end`() {
        for text in ["<gpx>", "<gpx>\n<wpt lat='1' lon='2'/>", "<gpx>\n<trk><trkseg><trkpt lat='1' lon='2'>"] {
            #expect(throws: GPXError.malformed(line: text.contains("\n") ? 2 : 1, .truncated)) {
                try GPXFile(Array(text.utf8))
            }
        }
    }

    @Test(arguments: ["</trk>", "<a <", "&nbsp;", "<!DOCTYPE a>", "\u{1}", "<a b='1' b='2'/>"])
    func `rejects a file with another error after any number of points`(fault: String) {
        let end = "</trkseg></trk></gpx>"
        let text = String(decoding: Self.text, as: UTF8.self).replacing(end, with: fault + end)
        let error = #expect(throws: GPXError.self) { try GPXFile(Array(text.utf8)) }
        #expect(error?.word != XMLProblem.truncated.rawValue && error?.line == 6)
    }

    @Test func `omits a track without points`() throws {
        let text = String(decoding: Self.text, as: UTF8.self)
        for end in ["<trk>", "<trk><name>a</name>", "<trk><trkseg>"] {
            let cut = text.replacing("</gpx>", with: end)
            #expect(try GPXFile(Array(cut.utf8)).document.tracks.count == 3)
        }
    }

    @Test(arguments: [1, 3, 4_096, 100_000])
    func `ignores zeros at the end of a file`(count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        let whole = try GPXFile(Self.text)
        #expect(try GPXFile(Self.text + zeros) == whole)
        let cut = try GPXFile(Array(Self.text.dropLast(30)) + zeros)
        #expect(cut.brokenOffLine == 6 && cut.points.count == 7)
    }

    @Test func `keeps the way so far of a route truncated between two points`() throws {
        let text = """
            <gpx xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3"><rte><rtept lat="1" lon="2"><extensions>
            <gpxx:RoutePointExtension><gpxx:rpt lat="1" lon="3"/><gpxx:rpt lat="1" lon="4"/><gpxx:rpt lat="1"
            """
        let file = try GPXFile(Array(text.utf8))
        #expect(file.points.map(\.coordinate.longitude) == [2, 3, 4] && file.brokenOffLine == 2)
    }
}
