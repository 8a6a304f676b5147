package import PromisedDomain
package import PromisedProtocol

extension WireErrorReply {
    /// The error for a refusal, with its field if it names one.
    package init(_ refusal: Refusal) {
        if case .invalid(let field) = refusal {
            self.init(ErrorCode(refusal), field: field)
        } else {
            self.init(ErrorCode(refusal))
        }
    }

    /// The error for a request that could not be decoded, or a reply that could not be encoded.
    ///
    /// A malformed frame is closed with ``CloseCode/malformedFrame`` instead of an error; if one is needed anyway, it
    /// is ``ErrorCode/requestInvalid`` without a field.
    package init(_ error: WireError) {
        switch error {
        case .invalid(let field): self.init(.requestInvalid, field: field)
        case .malformed: self.init(.requestInvalid)
        case .unencodable: self.init(.serverInternal)
        }
    }
}
