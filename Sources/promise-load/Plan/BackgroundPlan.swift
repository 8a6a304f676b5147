/// The work of the background users: uploads, recordings, an export.
struct BackgroundPlan: Hashable, Sendable {
    /// The default quota of a user's photos (`files.per-user`), in MiB.
    static let quotaMebibytes = 500

    /// The number of users who upload photos one by one.
    var uploads = 0
    /// The number of users who record a way.
    var recordings = 0
    /// The total size of the exporting user's photos, in MiB; 0 for no export.
    var exportMebibytes = 0
    /// The size of a photo in bytes.
    var photoBytes = 2_000_000

    /// `true` if there is an export.
    var hasExport: Bool { exportMebibytes > 0 }

    /// The number of background users.
    var accounts: Int { uploads + recordings + (hasExport ? 1 : 0) }

    /// The number of the exporting user's photos: as many as fit, but at least one.
    var exportPhotos: Int { hasExport ? max(1, exportMebibytes << 20 / photoBytes) : 0 }

    /// The longest time of the preparation: the photos of the export are uploaded at 2.7 MB/s.
    var preparation: Duration { hasExport ? .seconds(60 + exportMebibytes) : .zero }
}
