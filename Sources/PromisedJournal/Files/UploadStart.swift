package import PromisedDomain

/// Decides how an upload begins.
package enum UploadStart: Hashable, Sendable {
    /// An open upload with the same key continues at its offset.
    case resumed(Upload)
    case begun(Upload)

    /// Resumes or begins an upload.
    ///
    /// - Parameters:
    ///   - announcement: the announced file, its key cleaned.
    ///   - uploads: the user's uploads; expired ones are ignored.
    ///   - used: the bytes of the user's files that count for the quota.
    ///   - free: the free bytes of the disk; nil if files are stored elsewhere.
    ///   - id: the id of a new one.
    /// - Throws: `invalid` with the field, `fileTooLarge`, `requestKeyReused` for an open upload of another file,
    ///   `fileLimit`, `fileNoSpace`, `fileQuota`.
    package init(
        _ announcement: Upload.Announcement,
        of userID: UserID,
        among uploads: [Upload],
        space: FileSpace,
        used: Int64,
        free: Int64?,
        id: UploadID,
        at now: Instant
    ) throws(Refusal) {
        try announcement.check()
        let open = uploads.filter { now < $0.expiresAt }
        if let known = open.first(where: { $0.announcement.key == announcement.key }) {
            guard known.announcement == announcement else { throw .requestKeyReused }
            self = .resumed(known)
            return
        }
        guard open.count < Upload.mostOpen else { throw .fileLimit }
        let promised = open.reduce(0) { $0 + $1.announcement.bytes }
        try space.check(adding: announcement.bytes, used: used, promised: promised, free: free)
        self = .begun(Upload(id: id, userID: userID, announcement: announcement, offset: 0, touchedAt: now))
    }
}
