/// Why a document is rejected as XML.
package enum XMLProblem: String, Hashable, Sendable, CaseIterable {
    /// Not UTF-8: another encoding is declared, or the bytes are malformed.
    case encoding
    /// A character that is invalid in XML, such as NUL.
    case character
    /// A document type declaration; refused because it could define entities.
    case doctype
    /// A reference that is neither one of the five predefined entities nor the number of a character.
    case entity
    /// Elements are nested deeper than ``XMLLimit/depth``.
    case depth
    /// A duplicate attribute, or more attributes of an element than ``XMLLimit/attributes``.
    case attributes
    /// More namespace declarations in force than ``XMLLimit/namespaces``.
    case namespaces
    /// An end tag of another element than the open one.
    case mismatch
    /// Text, a tag, a comment or an instruction that violates XML's syntax.
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

/// The limits of documents: with these bounds, time and memory are proportional to the bytes.
enum XMLLimit {
    /// The maximum depth of nested elements.
    static let depth = 64
    /// The maximum number of attributes of an element.
    static let attributes = 64
    /// The maximum number of namespace declarations in force.
    static let namespaces = 64
}

/// A problem and the byte at which it was found.
struct XMLFault: Error, Hashable {
    var problem: XMLProblem
    /// An index of the document's bytes, or their count.
    var offset: Int
}
