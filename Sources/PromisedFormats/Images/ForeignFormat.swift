/// A format that a file may have besides that of a picture, because it is recognised from elsewhere than the first byte.
package enum ForeignFormat: String, Hashable, Sendable, CaseIterable {
    /// Found from its end: the end of the central directory (APPNOTE 6.3.10 section 4.3.16).
    case zip = "ZIP"
    /// Found within the first 1,024 bytes.
    case pdf = "PDF"
    /// Found anywhere: archives that unpack themselves have a program in front.
    case rar = "RAR"
    /// Found anywhere, like ``rar``.
    case sevenZip = "7z"
}
