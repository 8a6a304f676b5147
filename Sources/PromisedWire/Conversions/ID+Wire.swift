public import PromisedDomain
public import PromisedProtocol

extension ID {
    /// An id as a request gives it: a UUID's 36 characters in either case.
    ///
    /// - Parameter field: the JSON path of the field it stands in.
    /// - Throws: ``WireError/invalid(field:)`` for anything else.
    public init(wire text: String, field: String) throws(WireError) {
        guard let id = ID(text) else { throw .invalid(field: field) }
        self = id
    }

    /// Ids as a request lists them, in its order; repeats stay.
    ///
    /// - Parameter field: the JSON path of the list; the error names the element, such as `inviteeIds[3]`.
    /// - Throws: ``WireError/invalid(field:)`` for the first that is none.
    public static func list(wire texts: [String], field: String) throws(WireError) -> [ID] {
        var ids: [ID] = []
        ids.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() { ids.append(try ID(wire: text, field: "\(field)[\(index)]")) }
        return ids
    }

    /// The form on the wire: 36 characters, lower case.
    public var wireText: String { description }
}
