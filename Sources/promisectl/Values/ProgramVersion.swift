/// The version of this program.
enum ProgramVersion {
    /// Major, minor and patch; the same as the server's that it is built with, which a test compares.
    static let text = "0.1.0"
}
