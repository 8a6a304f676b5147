/// Why a file or a preset cannot be read. Lines count from 1.
package enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read.
    case unreadable(reason: String)
    /// The name of an encoding that is not among the known ones.
    case unknownEncoding(name: String, known: [String])
    /// An encoding for which the system's iconv has no table.
    case missingEncoding(name: String)
    /// The file is something else than it should be: a sentence that says what.
    case unsuitable(reason: String)
    /// The document breaks off or cannot be what it should be; nothing after the line can be read.
    case malformed(line: Int, reason: String)
    /// The same and others, with the path of the file in which they were found.
    case inFile(path: String, reason: String)
    /// A column of the mapping that the file's header does not have.
    case missingColumn(name: String, field: String, header: [String])
    /// Content that a format has no form for.
    case unwritable(reason: String)
    /// A mapping, a rule or another option that cannot be read.
    case badOption(reason: String)
    /// A preset that cannot be read; line 0: the file as a whole.
    case badPreset(line: Int, reason: String)

    /// A sentence that names the line and nothing of the file's content but its header.
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

    /// The same with the path of the file, unless the fault lies in the options or the path is named.
    package func inFile(at path: String) -> FormatError {
        switch self {
        case .unreadable, .unsuitable, .malformed, .missingColumn, .badPreset: .inFile(path: path, reason: description)
        case .unknownEncoding, .missingEncoding, .inFile, .unwritable, .badOption: self
        }
    }

    /// The delimiter that the only column of a header has in its name.
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
