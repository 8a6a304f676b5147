#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why the signing key cannot be used; stops the start.
package struct SigningKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    package enum Reason: Sendable, Hashable {
        /// Others than the owner may read or write the file, which has this mode.
        case tooOpen(mode: UInt32)
        /// The file belongs to another user than the one the server runs as.
        case foreignOwner
        /// A link, a folder or a device stands in its place.
        case notAFile
        /// The content is no key.
        case garbage
        /// The system refused, with this `errno`.
        case system(code: Int32)
    }

    /// The file.
    package let path: String
    /// What is wrong with it.
    package let reason: Reason

    /// A line for the operator: the file, what is wrong, and what to do.
    package var description: String {
        switch reason {
        case .tooOpen(let mode):
            "\(path): has mode \(String(mode, radix: 8)), expected 600; others may have read the key: "
                + "remove the file for a new one (signs everybody out) or run chmod 600"
        case .foreignOwner:
            "\(path): belongs to another user than the server runs as"
        case .notAFile:
            "\(path): is no regular file"
        case .garbage:
            "\(path): holds no signing key; restore it, or remove it for a new one (signs everybody out)"
        case .system(let code):
            "\(path): \(String(cString: strerror(code))) (errno \(code))"
        }
    }
}
