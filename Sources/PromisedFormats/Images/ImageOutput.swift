/// A cleaned picture: new bytes and ranges of the source file, in order.
///
/// The first walk over a file collects the ranges, which are few. A file with too many of them is walked again and
/// copied on the way.
final class ImageOutput {
    private struct Piece {
        /// `true` for a range of the file, `false` for one of ``own``.
        var isOfFile: Bool
        var range: Range<Int>
    }

    private static let mostPieces = 4_096
    private static let mostOwn = 65_536

    /// The number of bytes so far.
    private(set) var count = 0
    private var pieces: [Piece] = []
    /// The growing range of the file, after all pieces.
    private var last = 0..<0
    private var own: [UInt8] = []
    private var isWhole = true
    private let copy: ImageCopy?

    /// An empty output.
    ///
    /// - Parameter copy: receives the bytes at once; nil for an output that collects ranges.
    init(to copy: ImageCopy? = nil) { self.copy = copy }

    /// Appends bytes that are not in the file.
    func append(_ bytes: [UInt8]) throws(ImageProblem) {
        count += bytes.count
        if let copy { return try copy.append(bytes) }
        guard isWhole, hasRoom(own.count + bytes.count) else { return }
        endRange()
        pieces.append(Piece(isOfFile: false, range: own.count..<own.count + bytes.count))
        own += bytes
    }

    /// Appends a range of the file.
    func append(_ range: Range<Int>) throws(ImageProblem) {
        count += range.count
        if let copy { return try copy.append(range) }
        if last.upperBound == range.lowerBound {
            last = last.lowerBound..<range.upperBound
        } else if isWhole, !range.isEmpty, hasRoom(own.count) {
            endRange()
            last = range
        }
    }

    private func endRange() {
        if !last.isEmpty { pieces.append(Piece(isOfFile: true, range: last)) }
        last = 0..<0
    }

    /// Appends all of this to another output. Returns `false` without appending anything if too much was collected.
    func replay(into output: ImageOutput) throws(ImageProblem) -> Bool {
        guard isWhole else { return false }
        endRange()
        for piece in pieces {
            if piece.isOfFile {
                try output.append(piece.range)
            } else {
                try output.append(Array(own[piece.range]))
            }
        }
        return true
    }

    /// Stops collecting if there is too much.
    private func hasRoom(_ bytes: Int) -> Bool {
        if pieces.count < Self.mostPieces, bytes <= Self.mostOwn { return true }
        isWhole = false
        (pieces, own, last) = ([], [], 0..<0)
        return false
    }
}

/// Forwards bytes in pieces of the size of its buffer; the last one may be shorter.
final class ImageCopy {
    private let window: ByteWindow
    private let buffer: UnsafeMutableRawBufferPointer
    private var used = 0
    private let take: (UnsafeRawBufferPointer) throws(ImageProblem) -> Void

    /// Copies parts of a source, through a buffer of `size` bytes, to `take`.
    init(
        of source: ByteSource,
        size: Int,
        to take: @escaping (UnsafeRawBufferPointer) throws(ImageProblem) -> Void
    ) {
        window = ByteWindow(source, size: size)
        buffer = .allocate(byteCount: max(128, size), alignment: 16)
        self.take = take
    }

    deinit { buffer.deallocate() }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(ImageProblem) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes(put)
            rest = rest.dropFirst(count)
            if used == buffer.count { try flush() }
        }
    }

    /// Appends a range of the source.
    func append(_ range: Range<Int>) throws(ImageProblem) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try window.bytes(at: offset, least: 1)
            offset += put(UnsafeRawBufferPointer(rebasing: bytes.prefix(range.upperBound - offset)))
            if used == buffer.count { try flush() }
        }
    }

    /// Forwards the content of the buffer.
    func flush() throws(ImageProblem) {
        let count = used
        used = 0
        if count > 0 { try take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    }

    /// Copies as many bytes as fit into the buffer. Returns their number.
    private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(bytes.count, buffer.count - used)
        UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
        used += count
        return count
    }
}
