/// What checking a password showed.
package enum PasswordVerdict: Sendable, Hashable {
    /// Another password.
    case wrong
    /// The password.
    case right
    /// The password, but hashed at another cost than new ones are: store a new hash of it.
    case rightButOutdated
}
