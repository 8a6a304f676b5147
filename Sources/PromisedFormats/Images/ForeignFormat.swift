/// A format that a file may have besides that of a picture, because it is not recognised by the first byte.
package enum ForeignFormat: String, Hashable, Sendable, CaseIterable {
    /// Found by its end: the end of the central directory (APPNOTE 6.3.10 section 4.3.16).
    case zip = "ZIP"
    /// Found within the first 1,024 bytes.
    case pdf = "PDF"
    /// Found anywhere: self-extracting archives begin with a program.
    case rar = "RAR"
    /// Found anywhere, like ``rar``.
    case sevenZip = "7z"
}
