/// Walks the segments of a JPEG (ITU-T T.81 annex B) from the start to the end of its first picture.
///
/// ```
/// SOI  (APPn | COM | DQT | DHT | DRI)*  SOF  (… tables …  SOS  data (RSTn data)*)+  EOI  [anything, cut]
/// ```
/// Only the first picture counts: a second one (MPF), a film or a trailer lies behind its end.
struct JPEGFile {
    private var reader: ByteReader
    private var tables = JPEGTables()
    private var frame: JPEGFrame?
    private var application = JPEGApplication()
    /// Tables, frame and scans with their data, without the application segments.
    private var body: [UInt8] = []

    /// Reads a file that begins with the signature.
    init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageProblem) {
        reader = ByteReader(bytes)
        body.reserveCapacity(bytes.count)
        _ = try reader.part(2)
        while try readSegment(limits: limits) {}
        guard let frame, frame.isComplete else { throw .malformed(reason: "a component of the picture is missing") }
    }

    /// The parts that are kept.
    var parts: ImageParts {
        let start: [UInt8] = [0xFF, JPEGMarker.startOfImage]
        let end: [UInt8] = [0xFF, JPEGMarker.endOfImage]
        return ImageParts(
            size: frame?.size ?? ImageSize(width: 0, height: 0),
            orientation: application.orientation ?? 1,
            bytes: start + application.segments + body + end
        )
    }

    /// Reads a segment, with the data behind it if it begins a scan. Returns false at the end of the picture.
    private mutating func readSegment(limits: ImageLimits) throws(ImageProblem) -> Bool {
        let marker = try readMarker()
        if marker == JPEGMarker.endOfImage { return false }
        guard marker >= JPEGMarker.startOfScan || JPEGMarker.frames.contains(marker) else {
            throw .malformed(reason: "there is an unexpected marker")
        }
        let length = try reader.bigEndian(2)
        guard length >= 2 else { throw .malformed(reason: "a segment has a wrong length") }
        let segment = try reader.part(length - 2)
        switch marker {
        case JPEGMarker.comment: break
        case JPEGMarker.application: try application.read(marker, segment)
        case JPEGMarker.startOfScan: try readScan(segment)
        // Before the frames: its code lies among theirs.
        case JPEGMarker.huffman: try addTable(marker, segment)
        case JPEGMarker.frames: try readFrame(marker, segment, limits: limits)
        default: try addTable(marker, segment)
        }
        return true
    }

    /// The next marker, behind any fill bytes (section B.1.1.2).
    private mutating func readMarker() throws(ImageProblem) -> UInt8 {
        guard try reader.byte() == 0xFF else { throw .malformed(reason: "a marker is missing") }
        var marker = try reader.byte()
        while marker == 0xFF { marker = try reader.byte() }
        return marker
    }

    private mutating func addTable(_ marker: UInt8, _ segment: ByteReader) throws(ImageProblem) {
        try tables.read(marker, segment)
        body.append(segment: marker, segment.rest)
    }

    private mutating func readFrame(
        _ marker: UInt8,
        _ segment: ByteReader,
        limits: ImageLimits
    ) throws(ImageProblem) {
        guard frame == nil else { throw .malformed(reason: "there are two frames") }
        let read = try JPEGFrame(segment, marker: marker)
        try limits.check(read.size)
        frame = read
        body.append(segment: marker, segment.rest)
    }

    private mutating func readScan(_ segment: ByteReader) throws(ImageProblem) {
        guard frame != nil else { throw .malformed(reason: "a scan comes before the frame") }
        try frame?.addScan(segment, tables: tables.quantization)
        body.append(segment: JPEGMarker.startOfScan, segment.rest)
        try copyData()
    }

    /// Copies the data of a scan up to the next marker that is not a restart (section B.1.1.5), without fill bytes.
    private mutating func copyData() throws(ImageProblem) {
        var restarts: UInt8 = 0
        while true {
            guard let next = reader.rest.firstIndex(of: 0xFF) else { throw .truncated }
            body += try reader.take(next - reader.offset)
            var ahead = reader
            let code = try Self.code(&ahead)
            if JPEGMarker.restart.contains(code) {
                guard tables.hasRestarts, code == JPEGMarker.restart.lowerBound + restarts % 8 else {
                    throw .malformed(reason: "a restart marker is out of order")
                }
                restarts = (restarts + 1) % 8
            } else if code != 0 {
                return
            }
            // A zero is no marker: it tells that 0xFF is data.
            body += [0xFF, code]
            reader = ahead
        }
    }

    /// The byte behind one or more 0xFF.
    private static func code(_ reader: inout ByteReader) throws(ImageProblem) -> UInt8 {
        var code = try reader.byte()
        while code == 0xFF { code = try reader.byte() }
        return code
    }
}
