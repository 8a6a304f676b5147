import PromisedTransport

extension FuzzTarget {
    static let assembly = FuzzTarget(
        "assembly",
        "Messages are put together from pieces as by a model that keeps all pieces, and none exceeds its limit."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        let limit = Int(draw.byte())
        let isText = draw.isHeads()
        var assembly = MessageAssembly()
        var model: [UInt8]?
        while !draw.isAtEnd {
            let piece = (0..<draw.below(32)).map { _ in draw.byte() }
            let remaining = draw.isHeads() ? Int(draw.byte()) : draw.isHeads() ? Int(draw.long() >> 1) : 0
            let isFinal = draw.isHeads()
            let outcome = piece.withUnsafeBufferPointer {
                assembly.add($0, remaining: remaining, isFinal: isFinal, isText: isText, limit: limit)
            }
            let expected = outcomeOfModel(&model, piece, remaining, isFinal: isFinal, isText: isText, limit: limit)
            try require(outcome == expected, "\(outcome) instead of \(expected)")
            try require(assembly.isIncomplete == (model != nil), "a message is begun or not")
        }
    }

    private static func outcomeOfModel(
        _ model: inout [UInt8]?,
        _ piece: [UInt8],
        _ remaining: Int,
        isFinal: Bool,
        isText: Bool,
        limit: Int
    ) -> MessageAssembly.Outcome {
        let message = (model ?? []) + piece
        let (announced, isBeyond) = message.count.addingReportingOverflow(remaining)
        let wasBegun = model != nil
        model = nil
        if isBeyond || announced > limit { return .tooLarge }
        if !isFinal {
            model = message
            return .incomplete(announced: announced)
        }
        // The library has checked the text up to an empty last piece.
        if isText, wasBegun, piece.isEmpty, String(validating: message, as: UTF8.self) == nil { return .malformedText }
        return .message(message)
    }
}
