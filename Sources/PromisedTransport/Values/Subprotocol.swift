/// A WebSocket sub-protocol a server offers.
package struct Subprotocol: Sendable, Hashable {
    /// The name in `Sec-WebSocket-Protocol`: a token of at most 63 characters.
    package let name: String
    /// `true` for text frames, `false` for binary. A frame of the other kind closes the connection with 4502.
    package let isText: Bool

    /// A sub-protocol of that name.
    package init(name: String, isText: Bool) {
        self.name = name
        self.isText = isText
    }
}

extension Subprotocol {
    /// The sub-protocol that a handshake chooses: the first in the client's order that is offered, or the default (the
    /// first offered) when the client asks for none (`requested` nil); nil if it asks only for others.
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
