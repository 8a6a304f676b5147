/// Bytes that are read in pieces, wherever they are stored.
package struct ByteSource {
    /// The number of bytes.
    package let count: Int
    private let read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImageProblem) -> Void

    /// Bytes that are read on demand, such as those of a file.
    ///
    /// - Parameter read: fills all of a buffer with the bytes from an offset on; both lie within the source. If reading
    ///   fails, it throws `truncated` and the caller remembers the reason.
    package init(
        count: Int,
        read: @escaping (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) throws(ImageProblem) -> Void
    ) {
        self.count = count
        self.read = read
    }

    /// Bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { offset, buffer throws(ImageProblem) in
            bytes.withUnsafeBytes { buffer.copyBytes(from: $0[offset..<offset + buffer.count]) }
        }
    }

    /// Fills a buffer with the bytes from `offset` on. Throws `truncated` beyond the end.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(ImageProblem) {
        guard offset >= 0, buffer.count <= count - offset else { throw .truncated }
        if !buffer.isEmpty { try read(offset, buffer) }
    }

    /// A few bytes from `offset` on; fewer at the end.
    func bytes(at offset: Int, most: Int) throws(ImageProblem) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, min(most, count - offset)))
        var problem: ImageProblem?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(ImageProblem) { try fill(buffer, from: offset) } catch { problem = error }
        }
        if let problem { throw problem }
        return bytes
    }
}
