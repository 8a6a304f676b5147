/// A WebP, checked to its end.
struct WebPFile: ImageFile {
    let size: ImageSize
    /// Always as stored: WebP has no other orientation.
    let orientation = 1
    private let window: ByteWindow
    private let limits: ImageLimits
    private let chunks = ImageOutput()

    /// Reads a file that begins with the signature.
    init(_ window: ByteWindow, limits: ImageLimits) throws(ImageProblem) {
        self.window = window
        self.limits = limits
        size = try WebPWalk(limits: limits, chunks: chunks).run(ByteReader(window))
    }

    /// Writes the head of the file and the retained chunks.
    func write(to output: ImageOutput) throws(ImageProblem) {
        var head = WebPChunk.riff
        head.append(littleEndian: chunks.count + WebPChunk.webP.count, length: 4)
        try output.append(head + WebPChunk.webP)
        if try !chunks.replay(into: output) {
            _ = try WebPWalk(limits: limits, chunks: output).run(ByteReader(window))
        }
    }
}
