import Foundation

/// Which passwords are accepted for an account (domain §2): 8–128 characters of any kind, but none of the commonest.
package enum PasswordPolicy {
    /// How many grapheme clusters a password has.
    package static let length = 8...128

    /// Checks a new password; old ones are compared whatever they are.
    ///
    /// - Parameters:
    ///   - password: not trimmed: spaces count.
    ///   - field: its name on the wire, `password` or `newPassword`.
    /// - Throws: ``TextProblem`` naming the field when it is refused.
    package static func check(_ password: String, field: String = "password") throws(TextProblem) {
        try checkSize(password, field: field)
        guard !TextWeight.hasManyMarks(password) else { throw TextProblem(field: field, reason: .overloadedCharacter) }
        let characters = password.precomposedStringWithCanonicalMapping.count
        guard characters >= length.lowerBound else {
            throw TextProblem(field: field, reason: .tooShort(minimum: length.lowerBound))
        }
        guard characters <= length.upperBound else {
            throw TextProblem(field: field, reason: .tooLong(maximum: length.upperBound))
        }
        guard !CommonPasswords.contains(password) else {
            throw TextProblem(field: field, reason: .tooCommon)
        }
    }

    /// Checks that a password is not too long to be looked at, whichever it is: asked before anything is done with it.
    ///
    /// - Throws: ``TextProblem`` naming the field when it is refused.
    package static func checkSize(_ password: String, field: String = "password") throws(TextProblem) {
        try TextWeight.checkBytes(password, of: field, longest: TextWeight.password)
    }
}
