import ArgumentParser

/// The options for background users.
struct BackgroundOptions: ParsableArguments {
    @Option(help: "The users who upload photos one after the other, each at up to 900 kB/s.") var uploads = 0
    @Option(help: "The users who record a way, a point per second in batches of five.") var recordings = 0

    @Option(
        name: .customLong("export"),
        help: "The MiB of photos of a user who exports their data; the upload before the run takes up to 200 s."
    )
    var exportMebibytes = 0

    @Option(help: "The size of a photo in bytes.") var photoBytes = 2_000_000

    func validate() throws {
        guard (0...1_000).contains(uploads) else { throw ValidationError("--uploads must be 0 to 1000") }
        guard (0...10_000).contains(recordings) else { throw ValidationError("--recordings must be 0 to 10000") }
        guard (0...BackgroundPlan.quotaMebibytes).contains(exportMebibytes) else {
            throw ValidationError(
                "--export must be 0 to \(BackgroundPlan.quotaMebibytes): a user can have no more MiB of photos"
            )
        }
        guard (1_000...5 << 20).contains(photoBytes) else {
            throw ValidationError("--photo-bytes must be 1000 to \(5 << 20)")
        }
        guard exportMebibytes == 0 || exportMebibytes << 20 >= photoBytes else {
            throw ValidationError("--export must be at least one photo of --photo-bytes")
        }
    }

    /// The plan described by these options.
    var plan: BackgroundPlan {
        BackgroundPlan(
            uploads: uploads,
            recordings: recordings,
            exportMebibytes: exportMebibytes,
            photoBytes: photoBytes
        )
    }
}
