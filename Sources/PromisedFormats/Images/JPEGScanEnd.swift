/// Finds where the data of a JPEG's last scan end, for a file whose end marker is missing.
///
/// Only counting the blocks that the codes describe distinguishes a picture without an end marker from a truncated one.
/// This works for sequential pictures; for progressive ones missing scans cannot be detected.
struct JPEGScanEnd {
    private struct Component {
        let id: UInt8
        let across: Int
        let down: Int
        var isSeen = false
    }

    private var reader: ByteReader
    private var size = ImageSize(width: 0, height: 0)
    private var components: [Component] = []
    private var codes: [UInt8: JPEGCode] = [:]
    private var restartInterval = 0
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// The offset after the data of the scan that completes the picture; nil if the picture is incomplete.
    static func find(in window: ByteWindow) -> Int? {
        var search = JPEGScanEnd(reader: ByteReader(window))
        do throws(ImageProblem) {
            let end = try search.run()
            // The rest is read as well, to detect read errors of the disk.
            while search.reader.count > 0 { search.reader.skip(try search.reader.ahead(1).count) }
            return end
        } catch {
            return nil
        }
    }

    private init(reader: ByteReader) { self.reader = reader }

    private mutating func run() throws(ImageProblem) -> Int? {
        _ = try reader.part(2)
        while true {
            let marker = try JPEGMarker.next(&reader)
            let length = try reader.bigEndian(2)
            guard length >= 2 else { return nil }
            let segment = try reader.part(length - 2)
            switch marker {
            case JPEGMarker.huffman: try readCodes(segment)
            case JPEGMarker.baseline, JPEGMarker.extendedSequential: try readFrame(segment)
            case JPEGMarker.frames: return nil
            case JPEGMarker.restartInterval:
                var segment = segment
                restartInterval = try segment.bigEndian(2)
            case JPEGMarker.startOfScan:
                guard try readScan(segment) else { return nil }
                if components.allSatisfy(\.isSeen) { return reader.offset }
            default: break
            }
        }
    }

    // MARK: - Headers

    private mutating func readCodes(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        while segment.count > 0 {
            let name = try segment.byte()
            let counts = try segment.take(16).map(Int.init)
            var values: [UInt8] = []
            for _ in 0..<counts.reduce(0, +) { values.append(try segment.byte()) }
            codes[name] = JPEGCode(counts: counts, values: values)
        }
    }

    private mutating func readFrame(_ segment: ByteReader) throws(ImageProblem) {
        var segment = segment
        _ = try segment.byte()
        let height = try segment.bigEndian(2)
        size = ImageSize(width: try segment.bigEndian(2), height: height)
        components = []
        for _ in 0..<(try segment.byte()) {
            let id = try segment.byte()
            let factors = Int(try segment.byte())
            _ = try segment.byte()
            guard factors >> 4 > 0, factors & 15 > 0 else { throw .truncated }
            components.append(Component(id: id, across: factors >> 4, down: factors & 15))
        }
    }

    /// Reads a scan. Returns `false` if it is unreadable.
    private mutating func readScan(_ segment: ByteReader) throws(ImageProblem) -> Bool {
        var segment = segment
        var blocks: [(direct: JPEGCode, others: JPEGCode)] = []
        var scanned: [Int] = []
        let count = Int(try segment.byte())
        for _ in 0..<count {
            let id = try segment.byte()
            let tables = try segment.byte()
            guard let index = components.firstIndex(where: { $0.id == id }), let direct = codes[tables >> 4],
                let others = codes[0x10 | tables & 15]
            else { return false }
            scanned.append(index)
            // A scan of one component has a block for each unit, whatever its factors.
            let repeats = count == 1 ? 1 : components[index].across * components[index].down
            blocks += Array(repeating: (direct, others), count: repeats)
        }
        guard let first = scanned.first else { return false }
        let units = count == 1 ? unitsAlone(components[first]) : unitsTogether
        (bits, bitCount) = (0, 0)
        var restarts: UInt8 = 0
        for unit in 0..<units {
            if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
                (bits, bitCount) = (0, 0)
                guard try JPEGMarker.next(&reader) == JPEGMarker.restart.lowerBound + restarts else { return false }
                restarts = (restarts + 1) % 8
            }
            for block in blocks {
                guard try readBlock(block.direct, block.others) else { return false }
            }
        }
        for index in scanned { components[index].isSeen = true }
        return true
    }

    /// The units of a scan of several components (ITU-T T.81 section A.2.3).
    private var unitsTogether: Int {
        let (across, down) = most
        return Self.parts(size.width, of: 8 * across) * Self.parts(size.height, of: 8 * down)
    }

    /// The units of a scan of one component (section A.2.2).
    private func unitsAlone(_ component: Component) -> Int {
        let (across, down) = most
        let width = Self.parts(size.width * component.across, of: across)
        let height = Self.parts(size.height * component.down, of: down)
        return Self.parts(width, of: 8) * Self.parts(height, of: 8)
    }

    private var most: (across: Int, down: Int) {
        (components.map(\.across).max() ?? 1, components.map(\.down).max() ?? 1)
    }

    private static func parts(_ count: Int, of size: Int) -> Int { (count + size - 1) / size }

    // MARK: - Data

    /// Reads the codes of a block (section F.2.2). Returns `false` for impossible codes.
    private mutating func readBlock(_ direct: JPEGCode, _ others: JPEGCode) throws(ImageProblem) -> Bool {
        guard let category = try value(direct), category <= 11 else { return false }
        try skip(Int(category))
        var place = 1
        while place < 64 {
            guard let value = try value(others) else { return false }
            let (run, length) = (Int(value >> 4), Int(value & 15))
            if length == 0 {
                if run < 15 { return true }
                place += 16
            } else {
                place += run + 1
                try skip(length)
            }
            // A run of zeros may end with the block, but never extend beyond it.
            guard place <= 64 else { return false }
        }
        return true
    }

    private mutating func value(_ code: JPEGCode) throws(ImageProblem) -> UInt8? {
        var number = 0
        for length in 0..<16 {
            number = number << 1 | (try bit())
            if let value = code.value(of: number, length: length) { return value }
        }
        return nil
    }

    private mutating func skip(_ count: Int) throws(ImageProblem) {
        for _ in 0..<count { _ = try bit() }
    }

    private mutating func bit() throws(ImageProblem) -> Int {
        if bitCount == 0 {
            let byte = try reader.byte()
            if byte == 0xFF {
                var next = try reader.byte()
                // Fill bytes may precede the zero, as they may precede a marker.
                while next == 0xFF { next = try reader.byte() }
                guard next == 0 else { throw .truncated }
            }
            (bits, bitCount) = (UInt32(byte), 8)
        }
        bitCount -= 1
        return Int(bits >> UInt32(bitCount) & 1)
    }
}

/// A Huffman code of JPEG (ITU-T T.81 annex C).
struct JPEGCode {
    /// For each length from 1: the first code, the number of codes, and the index of their first value.
    private let rows: [(first: Int, count: Int, start: Int)]
    private let values: [UInt8]

    /// The code with these numbers of codes of each length from 1 to 16, and their values.
    init(counts: [Int], values: [UInt8]) {
        var rows: [(Int, Int, Int)] = []
        var (code, start) = (0, 0)
        for count in counts {
            rows.append((code, count, start))
            start += count
            code = (code + count) << 1
        }
        self.rows = rows
        self.values = values
    }

    /// The value of a code.
    ///
    /// - Parameter length: its length less 1.
    func value(of code: Int, length: Int) -> UInt8? {
        let (first, count, start) = rows[length]
        let place = code - first
        return (0..<count).contains(place) ? values[start + place] : nil
    }
}
