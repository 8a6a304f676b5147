public import PromisedProtocol

extension WireClientFrame.OneOf_Request {
    /// Bytes of a frame with a request that declares no other size.
    public static let usualLargestFrame = 16 << 10

    /// Bytes that a frame with such a request may have, in either codec (docs/protocol.md#frames).
    ///
    /// The texts of most requests are short. What names many people, brings many fixes or is asked by administrators
    /// declares here that it needs the largest frame there is; a new request that needs more than usual does the same.
    public var largestFrame: Int {
        switch self {
        case .report, .createPromise, .updatePromise, .admin: 64 << 10
        default: Self.usualLargestFrame
        }
    }
}
