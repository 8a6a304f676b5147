/// Why a document is not read as XML.
package enum XMLProblem: String, Hashable, Sendable, CaseIterable {
    /// Not UTF-8: another encoding is declared, or the bytes are malformed.
    case encoding
    /// A character that XML does not have, such as NUL.
    case character
    /// A document type declaration; it could define entities, so none is read.
    case doctype
    /// A reference that is neither one of the five predefined entities nor the number of a character.
    case entity
    /// More elements inside each other than ``XMLLimit/depth``.
    case depth
    /// An attribute that is given twice, or more attributes of an element than ``XMLLimit/attributes``.
    case attributes
    /// More namespace declarations in force than ``XMLLimit/namespaces``.
    case namespaces
    /// An end tag of another element than the open one.
    case mismatch
    /// Text, a tag, a comment or an instruction that is not written as XML asks.
    case syntax
    /// The document ends inside an element, or has none.
    case truncated

    /// A sentence without the line.
    var sentence: String {
        switch self {
        case .encoding: "the text is not UTF-8: convert the file"
        case .character: "XML does not allow this character"
        case .doctype: "a document type declaration is not allowed: delete it"
        case .entity: "the reference is neither a predefined entity nor the number of a character"
        case .depth: "elements are nested more than \(XMLLimit.depth) deep"
        case .attributes:
            "an attribute is given twice, or an element has more than \(XMLLimit.attributes) of them"
        case .namespaces: "more than \(XMLLimit.namespaces) namespaces are declared"
        case .mismatch: "the end tag belongs to another element than the open one"
        case .syntax: "not well-formed XML"
        case .truncated: "the document breaks off"
        }
    }
}

/// How much of a document is read; with these bounds, time and memory are proportional to its bytes.
enum XMLLimit {
    /// How deep elements may be nested.
    static let depth = 64
    /// How many attributes an element may have.
    static let attributes = 64
    /// How many namespace declarations may be in force.
    static let namespaces = 64
}

/// A problem and the byte at which it was found.
struct XMLFault: Error, Hashable {
    var problem: XMLProblem
    /// An index of the document's bytes, or their count.
    var offset: Int
}
