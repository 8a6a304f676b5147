/// One request of the protocol, without the frame around it.
public typealias WireRequest = WireClientFrame.OneOf_Request

extension WireClientFrame {
    /// A frame with a request.
    ///
    /// - Parameter id: echoed in the reply; 0 when none is wanted.
    public init(id: UInt32, request: WireRequest) {
        self.init()
        self.id = id
        self.request = request
    }

    /// Whether the client wants a reply to a request that succeeds. An error is always sent.
    public var wantsReply: Bool { id != 0 }
}
