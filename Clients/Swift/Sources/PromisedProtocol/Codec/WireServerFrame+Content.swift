/// One reply, error or event of the protocol, without the frame around it.
public typealias WireContent = WireServerFrame.OneOf_Content

extension WireServerFrame {
    /// A frame with a reply or an error.
    ///
    /// - Parameter id: that of the request, 0 for an error to a request without one.
    public init(id: UInt32, content: WireContent) {
        self.init()
        self.id = id
        self.content = content
    }

    /// A frame with an event; it has no id.
    public init(event: WireEvent) {
        self.init(id: 0, content: .event(event))
    }

    /// A frame with an error.
    public init(id: UInt32, error: WireErrorReply) {
        self.init(id: id, content: .error(error))
    }
}
