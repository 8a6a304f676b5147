/// A number of files and their total size.
package struct FileCount: Hashable, Sendable {
    package let files: Int
    /// The total size in bytes.
    package let bytes: Int64

    package init(files: Int, bytes: Int64) {
        self.files = files
        self.bytes = bytes
    }
}
