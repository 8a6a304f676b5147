import Crypto
import PromisedDomain
import PromisedJournal
import PromisedTestSupport

extension StoredFile {
    /// An old file of user 1, identified by a number.
    static func sample(_ number: UInt64, _ bytes: [UInt8]) -> StoredFile {
        StoredFile(
            id: .sample(number),
            userID: .user(1),
            kind: .export,
            contentType: "application/zip",
            bytes: Int64(bytes.count),
            sha256: Array(SHA256.hash(data: bytes))
        )
    }
}

extension FileID {
    static func sample(_ number: UInt64) -> FileID { FileID(high: 0x0193_0000_0000_7000, low: 1 << 63 | number) }
}
