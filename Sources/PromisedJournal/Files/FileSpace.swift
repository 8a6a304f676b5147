package import PromisedDomain

/// The limits of the space for files.
package struct FileSpace: Hashable, Sendable {
    /// The most bytes of one user's files; exports do not count.
    package var perUser: Int64
    /// Uploads and exports are refused below this number of free bytes on the disk.
    package var keepFree: Int64

    /// Limits; by default 500 MiB a user, and 1 GiB that stays free.
    package init(perUser: Int64 = 500 * 1_048_576, keepFree: Int64 = 1_073_741_824) {
        self.perUser = perUser
        self.keepFree = keepFree
    }

    /// Checks whether a user may add a file.
    ///
    /// - Parameters:
    ///   - bytes: the size of the file, 0 or more.
    ///   - used: the bytes of the user's files that count.
    ///   - promised: the announced bytes of the user's open uploads.
    ///   - free: the free bytes of the disk; nil if files are stored elsewhere.
    /// - Throws: `fileNoSpace`, `fileQuota`.
    package func check(adding bytes: Int64, used: Int64, promised: Int64, free: Int64?) throws(Refusal) {
        try check(free: free)
        guard bytes <= perUser - used - promised else { throw .fileQuota }
    }

    /// Checks the free bytes of the disk. Throws `fileNoSpace`.
    package func check(free: Int64?) throws(Refusal) {
        if let free, free < keepFree { throw .fileNoSpace }
    }
}
