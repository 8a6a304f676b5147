extension ServerSettings {
    /// The files of users: photos and tracks.
    package struct Files: Sendable, Hashable {
        /// The most bytes of one user's files.
        package var perUser = 500 << 20
        /// Uploads and exports are refused below this number of free bytes on the disk.
        package var keepFree = 1 << 30
    }

    static let fileSettings: [Setting] = [
        Setting(
            "files.per-user",
            \.files.perUser,
            .size(1 << 20...1 << 40),
            "Largest size of all files of one user; exports do not count."
        ),
        Setting(
            "files.keep-free",
            \.files.keepFree,
            .size(0...1 << 40),
            "The server takes no files and imports no places while less than this is free on the disk."
        ),
    ]
}
