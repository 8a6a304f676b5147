import Foundation
import PromisedTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The addresses of the recorded market file, which is CSV in CP949.
enum MarketAddresses {
    /// One row: its address by road and its older one by parcel, either possibly empty.
    struct Row {
        var road: String
        var parcel: String

        /// The address used by an import.
        var address: String { road.isEmpty ? parcel : road }
    }

    /// The file beside the repository; nil when it is not there.
    static let file: URL? = {
        guard let root = RepositoryFolder.root else { return nil }
        let file = root.deletingLastPathComponent().appending(path: "shared/places/markets-kr.csv")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }()

    /// All rows but the header.
    static func rows() throws -> [Row] {
        let file = try #require(file)
        let text = try #require(decode(Data(contentsOf: file), from: "CP949"))
        return try text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let fields = fields(of: line)
            try #require(fields.count == 18, "\(fields.count) fields")
            return Row(road: fields[2], parcel: fields[3])
        }
    }

    /// The fields of a line; those in quotation marks may contain commas. No field of the file has a line break.
    private static func fields(of line: Substring) -> [String] {
        var isQuoted = false
        let fields = line.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        return fields.map { String($0.filter { $0 != "\"" }) }
    }

    /// The text of bytes in an encoding known to iconv; nil if a byte is invalid in it.
    private static func decode(_ data: Data, from encoding: String) -> String? {
        guard let converter = iconv_open("UTF-8", encoding), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var input = data.map { CChar(bitPattern: $0) }
        // A character of two bytes has at most three in UTF-8.
        var output = [CChar](repeating: 0, count: data.count * 2)
        let written = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                var (from, to) = (source.baseAddress, target.baseAddress)
                var (unread, room) = (source.count, target.count)
                let result = iconv(converter, &from, &unread, &to, &room)
                return result == Int(bitPattern: UInt.max) ? nil : target.count - room
            }
        }
        return written.flatMap { String(validating: output[..<$0].map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }
}
