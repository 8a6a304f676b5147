/// A JPEG, checked to the end of its first picture.
///
/// Only the first picture counts: a second one (MPF), a film or a trailer lies behind its end.
struct JPEGFile: ImageFile {
    let size: ImageSize
    private let window: ByteWindow
    private let limits: ImageLimits
    private let application: JPEGApplication
    private let body = ImageOutput()

    /// Reads a file that begins with the signature.
    init(_ window: ByteWindow, limits: ImageLimits) throws(ImageProblem) {
        self.window = window
        self.limits = limits
        var walk = JPEGWalk(window, limits: limits, body: body)
        size = try walk.run()
        application = walk.application
    }

    /// 1…8.
    var orientation: Int { application.orientation ?? 1 }

    /// Writes the start, the application segments, which may come from anywhere, the body and the end.
    func write(to output: ImageOutput) throws(ImageProblem) {
        try output.append([0xFF, JPEGMarker.startOfImage])
        try application.write(to: output)
        if try !body.replay(into: output) {
            var walk = JPEGWalk(window, limits: limits, body: output)
            _ = try walk.run()
        }
        try output.append([0xFF, JPEGMarker.endOfImage])
    }
}
