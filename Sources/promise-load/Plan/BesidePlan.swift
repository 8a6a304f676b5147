/// The work of other users beside the phones: uploads, recordings, an export.
struct BesidePlan: Hashable, Sendable {
    /// The bytes of photos a user can have by default (`files.per-user`), in MiB.
    static let quotaMebibytes = 500

    /// How many users upload photos one after the other.
    var uploads = 0
    /// How many users record a way.
    var recordings = 0
    /// The photos of the user who exports their data, in MiB; 0 for no export.
    var exportMebibytes = 0
    /// The size of a photo.
    var photoBytes = 2_000_000

    /// `true` if there is an export.
    var hasExport: Bool { exportMebibytes > 0 }

    /// How many users work.
    var accounts: Int { uploads + recordings + (hasExport ? 1 : 0) }

    /// How many photos the exporting user has: as many as fit, but at least one.
    var exportPhotos: Int { hasExport ? max(1, exportMebibytes << 20 / photoBytes) : 0 }

    /// How long the preparation takes at most: the photos of the export are uploaded at 2.7 MB/s.
    var preparation: Duration { hasExport ? .seconds(60 + exportMebibytes) : .zero }
}
