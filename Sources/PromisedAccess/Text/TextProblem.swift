package import PromisedDomain

/// Why a text from a client is refused.
package struct TextProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why a text is refused.
    package enum Reason: Sendable, Hashable {
        /// Blank after trimming.
        case empty
        /// Fewer characters than `minimum`.
        case tooShort(minimum: Int)
        /// More characters than `maximum`.
        case tooLong(maximum: Int)
        /// More bytes of UTF-8 than `maximum`.
        case tooManyBytes(maximum: Int)
        /// A control character, line break, bidirectional override or noncharacter.
        case forbiddenCharacter
        /// A single character made of too many code points.
        case overloadedCharacter
        /// Malformed; the phrase describes the expected form.
        case malformed(expected: String)
        /// Among the commonest passwords.
        case tooCommon
    }

    /// The field, by its name on the wire.
    package let field: String
    package let reason: Reason

    package init(field: String, reason: Reason) {
        self.field = field
        self.reason = reason
    }

    /// The refusal for the client: `request.invalid` with the field's name.
    package var refusal: Refusal { .invalid(field: field) }

    /// A sentence for people, without the text itself: safe for a log and for an error message.
    package var description: String {
        switch reason {
        case .empty: "\(field) is empty"
        case .tooShort(let minimum): "\(field) has fewer than \(minimum) characters"
        case .tooLong(let maximum): "\(field) has more than \(maximum) characters"
        case .tooManyBytes(let maximum): "\(field) has more than \(maximum) bytes"
        case .forbiddenCharacter: "\(field) contains a character that is not allowed"
        case .overloadedCharacter: "\(field) contains a character with too many combining marks"
        case .malformed(let expected): "\(field) is not \(expected)"
        case .tooCommon: "\(field) is one of the most common"
        }
    }
}
