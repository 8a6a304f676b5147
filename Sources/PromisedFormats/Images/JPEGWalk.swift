/// Walks the segments of a JPEG (ITU-T T.81 annex B) from the start to the end of its first picture.
///
/// ```
/// SOI  (APPn | COM | DQT | DHT | DRI)*  SOF  (… tables …  SOS  data (RSTn data)*)+  EOI  [anything, cut]
/// ```
/// Bytes between segments are removed.
struct JPEGWalk {
    private var reader: ByteReader
    private let limits: ImageLimits
    private var tables = JPEGTables()
    private var frame: JPEGFrame?
    private var isInData = false
    private let end: Int?
    /// The application segments so far.
    private(set) var application = JPEGApplication()
    /// Tables, frame and scans with their data, without the application segments.
    private let body: ImageOutput

    /// A walk over a file that begins with the signature.
    ///
    /// - Parameters:
    ///   - body: receives tables, frame and scans with their data.
    ///   - end: the offset at which the picture ends without a marker; nil if it has one.
    init(_ window: ByteWindow, limits: ImageLimits, body: ImageOutput, end: Int? = nil) {
        reader = ByteReader(window)
        self.limits = limits
        self.body = body
        self.end = end
    }

    /// `true` if the picture may be complete although the walk over it ended with an error: its end marker may be
    /// missing.
    func mayLackEnd(_ problem: ImageProblem) -> Bool {
        switch problem {
        case .truncated: frame != nil
        case .malformed: frame?.isComplete == true && !isInData
        default: false
        }
    }

    /// Walks to the end, once. Returns the size of the picture.
    mutating func run() throws(ImageProblem) -> ImageSize {
        _ = try reader.part(2)
        while try readSegment() {}
        guard let frame, frame.isComplete else { throw .malformed(reason: "a component of the picture is missing") }
        return frame.size
    }

    /// Reads a segment, with the data after it if it begins a scan. Returns `false` at the end of the picture.
    private mutating func readSegment() throws(ImageProblem) -> Bool {
        if let end, reader.offset >= end { return false }
        let marker = try JPEGMarker.next(&reader)
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
        // Before the frames: its code is in their range.
        case JPEGMarker.huffman: try addTable(marker, segment)
        case JPEGMarker.frames: try readFrame(marker, segment)
        default: try addTable(marker, segment)
        }
        return true
    }

    private mutating func addTable(_ marker: UInt8, _ segment: ByteReader) throws(ImageProblem) {
        try tables.read(marker, segment)
        try keep(segment)
    }

    private mutating func readFrame(_ marker: UInt8, _ segment: ByteReader) throws(ImageProblem) {
        guard frame == nil else { throw .malformed(reason: "there are two frames") }
        let read = try JPEGFrame(segment, marker: marker)
        try limits.check(read.size)
        frame = read
        try keep(segment)
    }

    private mutating func readScan(_ segment: ByteReader) throws(ImageProblem) {
        guard frame != nil else { throw .malformed(reason: "a scan comes before the frame") }
        try frame?.addScan(segment, tables: tables.quantization)
        try keep(segment)
        try copyData()
    }

    /// Retains a segment with the marker and the length before it, without fill bytes.
    private func keep(_ segment: ByteReader) throws(ImageProblem) {
        try body.append(segment.range.lowerBound - 4..<segment.range.upperBound)
    }

    /// Copies the data of a scan up to the next marker that is not a restart (section B.1.1.5), without fill bytes.
    private mutating func copyData() throws(ImageProblem) {
        isInData = true
        var data = JPEGData(hasRestarts: tables.hasRestarts)
        while !data.isOver {
            if let end, end - reader.offset < 2 {
                try body.append(reader.offset..<end)
                reader.skip(end - reader.offset)
                break
            }
            // A marker has two bytes.
            guard reader.count >= 2 else { throw .truncated }
            let ahead = try reader.ahead(2)
            let bytes = end.map { UnsafeRawBufferPointer(rebasing: ahead.prefix($0 - reader.offset)) } ?? ahead
            reader.skip(try data.copy(bytes, of: reader, to: body))
        }
        isInData = false
    }
}
