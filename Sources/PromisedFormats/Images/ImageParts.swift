/// A file as the reader of its format leaves it.
struct ImageParts {
    let size: ImageSize
    /// 1…8.
    var orientation = 1
    let bytes: [UInt8]
}
