/// A JPEG, checked to the end of its first picture. A missing end marker is added.
///
/// Only the first picture counts: a second one (MPF), a film or a trailer follows its end and is removed.
struct JPEGFile: ImageFile {
    let size: ImageSize
    private let window: ByteWindow
    private let limits: ImageLimits
    private let application: JPEGApplication
    private let body: ImageOutput
    /// Where the picture ends; nil if it has an end marker.
    private let end: Int?

    /// Reads a file that begins with the signature.
    init(_ window: ByteWindow, limits: ImageLimits) throws(ImageProblem) {
        self.window = window
        self.limits = limits
        let body = ImageOutput()
        var walk = JPEGWalk(window, limits: limits, body: body)
        do throws(ImageProblem) {
            size = try walk.run()
            (self.body, end, application) = (body, nil, walk.application)
        } catch {
            guard walk.mayLackEnd(error), let found = JPEGScanEnd.find(in: window) else { throw error }
            let body = ImageOutput()
            walk = JPEGWalk(window, limits: limits, body: body, end: found)
            size = try walk.run()
            (self.body, end, application) = (body, found, walk.application)
        }
    }

    /// 1…8.
    var orientation: Int { application.orientation ?? 1 }

    /// Writes the start, the application segments, wherever they were in the file, the body and the end.
    func write(to output: ImageOutput) throws(ImageProblem) {
        try output.append([0xFF, JPEGMarker.startOfImage])
        try application.write(to: output)
        if try !body.replay(into: output) {
            var walk = JPEGWalk(window, limits: limits, body: output, end: end)
            _ = try walk.run()
        }
        try output.append([0xFF, JPEGMarker.endOfImage])
    }
}
