/// The file of one format, checked.
protocol ImageFile {
    /// Its size before the orientation is applied.
    var size: ImageSize { get }
    /// 1…8.
    var orientation: Int { get }

    /// Writes the parts that are kept.
    func write(to output: ImageOutput) throws(ImageProblem)
}
