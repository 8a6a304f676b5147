/// Why a file or a preset cannot be read. Lines count from 1.
package enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read.
    case unreadable(reason: String)
    /// An unknown name of an encoding.
    case unknownEncoding(name: String, known: [String])
    /// An encoding for which the system's iconv has no table.
    case missingEncoding(name: String)
    /// The file has another format than expected, described by a sentence.
    case unsuitable(reason: String)
    /// The document is truncated or malformed; reading cannot continue after the line.
    case malformed(line: Int, reason: String)
    /// An error with the path of its file.
    case inFile(path: String, reason: String)
    /// A column of the mapping that is missing in the file's header.
    case missingColumn(name: String, field: String, header: [String])
    /// Content that the format cannot represent.
    case unwritable(reason: String)
    /// An invalid mapping, rule or other option.
    case badOption(reason: String)
    /// An invalid preset; line 0: the file as a whole.
    case badPreset(line: Int, reason: String)

    /// A sentence that names the line; of the file's content, it contains only the header.
    package var description: String {
        switch self {
        case .unreadable(let reason): "cannot read the file: \(reason)"
        case .unknownEncoding(let name, let known):
            "the encoding \(name) is unknown: use one of \(known.joined(separator: ", "))"
        case .missingEncoding(let name):
            "the system's iconv cannot decode \(name): install its tables (glibc's gconv modules) or convert the file"
        case .malformed(let line, let reason): "line \(line): \(reason)"
        case .inFile(let path, let reason): "\(path): \(reason)"
        case .missingColumn(let name, let field, let header):
            "the file has no column \(name) for \(field); its columns are: \(Self.listed(header))\(Self.advice(header))"
        case .badOption(let reason), .unwritable(let reason), .unsuitable(let reason): reason
        case .badPreset(let line, let reason): line == 0 ? reason : "line \(line): \(reason)"
        }
    }

    /// The error with the path of the file, unless it concerns the options or contains a path.
    package func inFile(at path: String) -> FormatError {
        switch self {
        case .unreadable, .unsuitable, .malformed, .missingColumn, .badPreset: .inFile(path: path, reason: description)
        case .unknownEncoding, .missingEncoding, .inFile, .unwritable, .badOption: self
        }
    }

    /// The delimiter contained in the name of a header's only column.
    private static func advice(_ header: [String]) -> String {
        guard header.count == 1, let name = header.first else { return "" }
        let found = [(";", ";"), ("\t", "tab"), ("|", "|"), (",", ",")].first { name.contains($0.0) }
        return found.map { "; use --delimiter '\($0.1)' if that separates them" } ?? ""
    }

    /// The first columns of a header with names of a readable length.
    private static func listed(_ header: [String]) -> String {
        let names = header.prefix(40).map { $0.count > 60 ? $0.prefix(60) + "…" : $0[...] }
        let rest = header.count - names.count
        return names.joined(separator: ", ").replacing("\t", with: " ") + (rest > 0 ? ", and \(rest) more" : "")
    }
}
