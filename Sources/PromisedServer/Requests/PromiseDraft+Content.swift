internal import Crypto
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

extension PromiseDraft {
    /// A hash of everything that is asked for but the key, as it is stored: what differs only in how it was written, or
    /// names a default or its invitees in another order, is the same content (domain §4).
    ///
    /// - Throws: `request.invalid` when it can't be written down, which no checked draft is.
    func contentHash() throws(RequestError) -> [UInt8] {
        var content = WireCreatePromise()
        content.title = title
        content.note = note
        content.place = WirePlace(place)
        content.meetsAt = WireTimestamp(meetsAt)
        content.radiusMetres = Int32(clamping: radiusMetres)
        if let penalty { content.penalty = WirePenalty(penalty) }
        content.rule = WireRule(rule)
        content.inviteeIds = inviteeIDs.sorted().map(\.wireText)
        // Fields are written in the order of their numbers, so equal content gives equal bytes.
        let frame = WireClientFrame(id: 0, request: .createPromise(content))
        let bytes = try RequestError.wrap { () throws(WireError) in try WireCodec.protobuf.encode(frame) }
        return Array(SHA256.hash(data: bytes))
    }
}
