import PromisedDomain
import PromisedProtocol
import PromisedWire

extension FuzzTarget {
    static let framesJSON = frames(.json)
    static let framesProtobuf = frames(.protobuf)

    static let positions = FuzzTarget(
        "positions",
        "The writer of live positions gives the library's bytes, in both encodings."
    ) { bytes throws(Violation) in
        var draw = Draw(bytes)
        var frame = PositionsFrame(positions: [], of: draw.id(), nextReport: nil, at: draw.calendarInstant())
        frame.nextReport = draw.optional { .milliseconds(Int64($0.word() >> 4)) }
        while !draw.isAtEnd { frame.positions.append(draw.position()) }
        for codec in WireCodec.allCases {
            let library = try? codec.encode(frame.message)
            try require(codec.encode(frame) == library, "in \(codec): \(frame)")
        }
    }

    private static func frames(_ codec: WireCodec) -> FuzzTarget {
        FuzzTarget(
            "frames-\(codec.rawValue)",
            "A frame that decodes is encoded and decoded again to the same; the place of a fault is found in bounded time."
        ) { bytes throws(Violation) in
            if let frame = try? codec.decodeClientFrame(bytes) {
                if let written = try? codec.encode(frame) {
                    let again = try? codec.decodeClientFrame(written)
                    try require(again.flatMap { try? codec.encode($0) } == written, "a client's frame: \(frame)")
                }
            } else {
                _ = codec.faultyField(of: bytes)
            }
            if let frame = try? codec.decodeServerFrame(bytes), let written = try? codec.encode(frame) {
                let again = try? codec.decodeServerFrame(written)
                try require(again.flatMap { try? codec.encode($0) } == written, "a server's frame: \(frame)")
            }
        }
    }
}

extension Draw {
    /// An instant that JSON can represent: in the years 1 to 9999.
    fileprivate mutating func calendarInstant() -> Instant {
        let first: Int64 = -62_135_596_800_000
        let last: Int64 = 253_402_300_799_999
        return Instant(milliseconds: min(max(instant().milliseconds, first), last))
    }

    fileprivate mutating func position() -> LivePosition {
        LivePosition(
            userID: id(),
            seq: word(),
            coordinate: coordinate(),
            accuracyMetres: number(),
            fixTime: calendarInstant(),
            distanceMetres: number(),
            estimate: optional { $0.estimate() },
            lane: 0
        )
    }

    private mutating func estimate() -> ArrivalEstimate {
        let states = ArrivalEstimate.State.allCases
        return ArrivalEstimate(
            band: optional {
                ArrivalEstimate.Band(
                    medianAt: $0.calendarInstant(),
                    lowAt: $0.calendarInstant(),
                    highAt: $0.calendarInstant()
                )
            },
            state: states[below(states.count)]
        )
    }
}
