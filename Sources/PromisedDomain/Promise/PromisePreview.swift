/// The data of a promise that its invite link shows before anyone joins, for example in a messenger. Never people, never
/// coordinates.
package enum PromisePreview: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing.
    case none
    case title
    /// The title and the meeting time.
    case time
    /// The title, the meeting time, and the name and address of the place.
    case place
}
