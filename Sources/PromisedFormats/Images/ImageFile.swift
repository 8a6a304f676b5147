/// A checked file of one format.
protocol ImageFile {
    /// Its size before the orientation is applied.
    var size: ImageSize { get }
    /// 1…8.
    var orientation: Int { get }

    /// Writes the retained parts.
    func write(to output: ImageOutput) throws(ImageProblem)
}
