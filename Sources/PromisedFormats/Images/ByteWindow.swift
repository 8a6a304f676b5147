/// A part of a source in memory, which moves to the requested bytes.
final class ByteWindow {
    /// The number of bytes before the requested offset that remain in the window: readers look ahead and return.
    private static let margin = 32

    /// The number of bytes of the source.
    let count: Int
    private let source: ByteSource
    private let size: Int
    private let memory: UnsafeMutableRawPointer
    private var start = 0
    private var end = 0
    private var parts = 0

    /// A window of `size` bytes, at least 128.
    init(_ source: ByteSource, size: Int) {
        self.source = source
        count = source.count
        self.size = max(128, size)
        memory = .allocate(byteCount: self.size, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Starts a walk over the file, which counts parts from 0.
    func beginWalk() { parts = 0 }

    /// Counts a part of the file: a segment, a chunk or a fill byte. Throws `malformed` beyond ``ImageLimits/parts``.
    func countPart() throws(ImageProblem) {
        parts += 1
        guard parts <= ImageLimits.parts else { throw .malformed(reason: "the file has too many parts") }
    }

    /// The bytes in memory from `offset` on, at least `least`, which is at most 96. They are valid until the next call.
    /// Throws `truncated` if the source has fewer.
    func bytes(at offset: Int, least: Int) throws(ImageProblem) -> UnsafeRawBufferPointer {
        if offset < start || end - offset < least { try move(to: offset, least: least) }
        return UnsafeRawBufferPointer(start: memory + (offset - start), count: end - offset)
    }

    private func move(to offset: Int, least: Int) throws(ImageProblem) {
        guard least <= count - offset else { throw .truncated }
        (start, end) = (0, 0)
        let first = max(0, offset - Self.margin)
        let length = min(size, count - first)
        try source.fill(UnsafeMutableRawBufferPointer(start: memory, count: length), from: first)
        (start, end) = (first, first + length)
    }
}
