/// The frame of a JPEG and the scans seen so far (ITU-T T.81 sections B.2.2 and B.2.3).
struct JPEGFrame {
    private struct Component {
        let id: UInt8
        let table: UInt8
        /// `true` once a scan contains its lowest frequency, which is required for display.
        var isSeen = false
    }

    /// The limit of scans: each scan of a progressive picture costs a pass over all of it, however short the scan is.
    /// Encoders produce about ten.
    static let mostScans = 200

    let size: ImageSize
    private let isProgressive: Bool
    private var components: [Component] = []
    private var scans = 0

    /// Reads the segment of a frame.
    init(_ segment: ByteReader, marker: UInt8) throws(ImageProblem) {
        var segment = segment
        switch marker {
        case JPEGMarker.baseline, JPEGMarker.extendedSequential: isProgressive = false
        case JPEGMarker.progressive: isProgressive = true
        default: throw .unsupported(reason: "it is a lossless, hierarchical or arithmetic JPEG")
        }
        guard try segment.byte() == 8 else { throw .unsupported(reason: "it has more than 8 bits a sample") }
        let height = try segment.bigEndian(2)
        size = ImageSize(width: try segment.bigEndian(2), height: height)
        let count = Int(try segment.byte())
        guard [1, 3, 4].contains(count) else { throw .unsupported(reason: "it has \(count) components") }
        for _ in 0..<count {
            let id = try segment.byte()
            let factors = try segment.byte()
            let table = try segment.byte()
            guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15), table < 4,
                !components.contains(where: { $0.id == id })
            else { throw .malformed(reason: "a component of the frame is invalid") }
            components.append(Component(id: id, table: table))
        }
        guard segment.count == 0 else { throw .malformed(reason: "the frame has a wrong length") }
    }

    /// `true` once each component has a scan.
    var isComplete: Bool { components.allSatisfy(\.isSeen) }

    /// Reads the header of a scan.
    ///
    /// - Parameter tables: bit n is set if there is a quantization table n.
    mutating func addScan(_ segment: ByteReader, tables: UInt8) throws(ImageProblem) {
        var segment = segment
        scans += 1
        guard scans <= JPEGFrame.mostScans else {
            throw .unsupported(reason: "it has more than \(JPEGFrame.mostScans) scans")
        }
        let scanned = try readComponents(&segment)
        guard scanned.allSatisfy({ tables >> components[$0].table & 1 == 1 }) else {
            throw .malformed(reason: "a quantization table is missing")
        }
        let (first, last) = (try segment.byte(), try segment.byte())
        _ = try segment.byte()
        guard segment.count == 0 else { throw .malformed(reason: "a scan has a wrong length") }
        if isProgressive {
            let isValid = first == 0 ? last == 0 : scanned.count == 1 && first <= last && last <= 63
            guard isValid else { throw .malformed(reason: "a scan has invalid frequencies") }
        }
        if first == 0 { for index in scanned { components[index].isSeen = true } }
    }

    /// The indices of the components of a scan.
    private func readComponents(_ segment: inout ByteReader) throws(ImageProblem) -> [Int] {
        var scanned: [Int] = []
        let count = Int(try segment.byte())
        guard (1...components.count).contains(count) else {
            throw .malformed(reason: "a scan has \(count) components")
        }
        for _ in 0..<count {
            let id = try segment.byte()
            let tables = try segment.byte()
            guard let index = components.firstIndex(where: { $0.id == id }), !scanned.contains(index),
                tables >> 4 < 4, tables & 15 < 4
            else { throw .malformed(reason: "a component of a scan is invalid") }
            scanned.append(index)
        }
        return scanned
    }
}
