extension ForeignFormat {
    /// Throws ``ImageProblem/polyglot(with:)`` if the bytes are also a file of another format.
    ///
    /// - Parameter piece: the number of bytes that are read at a time.
    package static func refuse(_ source: ByteSource, piece: Int = 65_536) throws(ImageProblem) {
        if try hasZIPEnd(source) { throw .polyglot(with: .zip) }
        if try hasPDFStart(source) { throw .polyglot(with: .pdf) }
        if let archive = try archive(in: source, piece: piece) { throw .polyglot(with: archive) }
    }

    private static func hasPDFStart(_ source: ByteSource) throws(ImageProblem) -> Bool {
        let start = try source.bytes(at: 0, most: 1_024)
        return start.indices.contains { start[$0...].starts(with: "%PDF-".utf8) }
    }

    /// `true` if there is an end record where programs look for it, directly after a central directory. Checking only
    /// four bytes would refuse one film in 65,000.
    private static func hasZIPEnd(_ source: ByteSource) throws(ImageProblem) -> Bool {
        let endLength = 22
        let start = max(0, source.count - endLength - 65_535)
        let tail = try source.bytes(at: start, most: source.count - start)
        guard tail.count >= endLength else { return false }
        for end in 0...tail.count - endLength {
            guard tail[end] == 0x50, tail[end...].starts(with: [0x50, 0x4B, 0x05, 0x06]) else { continue }
            let length = tail[end + 12..<end + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
            let (back, record): (Int, [UInt8]) =
                length == 0xFFFF_FFFF ? (20, [0x50, 0x4B, 0x06, 0x07]) : (length, [0x50, 0x4B, 0x01, 0x02])
            guard back <= start + end else { continue }
            if try source.bytes(at: start + end - back, most: 4) == record { return true }
        }
        return false
    }
}

// MARK: - Archives that begin anywhere

extension ForeignFormat {
    /// The six bytes of "Rar!", 0x1A and 7, as a number whose least significant byte comes first.
    private static let rarStart: UInt64 = 0x071A_2172_6152
    /// The six bytes of "7z", 0xBC, 0xAF, 0x27 and 0x1C, likewise.
    private static let sevenZipStart: UInt64 = 0x1C27_AFBC_7A37

    /// The archive whose signature occurs; ``rar`` if both do.
    private static func archive(in source: ByteSource, piece: Int) throws(ImageProblem) -> ForeignFormat? {
        let window = ByteWindow(source, size: piece)
        var found: ForeignFormat?
        var offset = 0
        while source.count - offset >= 6 {
            let bytes = try window.bytes(at: offset, least: 6)
            switch archive(in: bytes) {
            case .rar: return .rar
            case let other: found = found ?? other
            }
            // The last five bytes may begin a signature.
            offset += bytes.count - 5
        }
        return found
    }

    private static func archive(in bytes: UnsafeRawBufferPointer) -> ForeignFormat? {
        // Pointers, because the bounds checks of a buffer would triple the time.
        guard bytes.count >= 6, var place = bytes.baseAddress else { return nil }
        let last = place + (bytes.count - 6)
        var found: ForeignFormat?
        while place <= last {
            // The first two bytes of either signature are rare, so that the branch is predicted.
            let start = UInt16(littleEndian: place.loadUnaligned(as: UInt16.self))
            if start == UInt16(truncatingIfNeeded: rarStart) || start == UInt16(truncatingIfNeeded: sevenZipStart) {
                switch number(at: place) {
                case rarStart: return .rar
                case sevenZipStart: found = .sevenZip
                default: break
                }
            }
            place += 1
        }
        return found
    }

    /// The number of six bytes, the first least significant.
    private static func number(at place: UnsafeRawPointer) -> UInt64 {
        let low = UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
        let high = UInt16(littleEndian: (place + 4).loadUnaligned(as: UInt16.self))
        return UInt64(high) << 32 | UInt64(low)
    }
}
