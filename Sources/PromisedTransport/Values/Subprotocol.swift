/// A WebSocket sub-protocol offered by a server.
package struct Subprotocol: Sendable, Hashable {
    /// The name in `Sec-WebSocket-Protocol`: a token of at most 63 characters.
    package let name: String
    /// `true` for text frames, `false` for binary. A frame of the other kind closes the connection with 4502.
    package let isText: Bool

    package init(name: String, isText: Bool) {
        self.name = name
        self.isText = isText
    }
}

extension Subprotocol {
    /// The sub-protocol chosen for a handshake: the first offered one in the client's order, or the default (the first
    /// offered) if the client requests none (`requested` nil); nil if it requests only others.
    package static func choose(requested: String?, offered: [Subprotocol]) -> Subprotocol? {
        guard let requested else { return offered.first }
        let names = requested.split(separator: ",").map { $0.trimming(while: { $0 == " " || $0 == "\t" }) }
        return names.lazy.compactMap { name in offered.first { $0.name == name } }.first
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
