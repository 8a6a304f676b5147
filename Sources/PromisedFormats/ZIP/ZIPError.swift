/// Why an archive refuses an entry or more bytes.
package enum ZIPError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A name that could escape the folder it is extracted to, or that programs interpret differently.
    case badName(String)
    /// A second entry with the same name.
    case duplicateName(String)
    /// The archive exceeds the limit of bytes.
    case tooLarge(limit: UInt64)
    /// More than 65,535 entries.
    case tooManyEntries

    /// A sentence.
    package var description: String {
        switch self {
        case .badName(let name):
            "the name \(name.debugDescription) cannot stand in an archive: use 1 to 255 bytes, relative, with / between folders"
        case .duplicateName(let name): "the archive already has an entry \(name.debugDescription)"
        case .tooLarge(let limit): "the archive is larger than \(limit) bytes"
        case .tooManyEntries: "the archive has more than 65,535 entries"
        }
    }
}
