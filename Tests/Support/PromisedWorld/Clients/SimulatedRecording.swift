internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// A way that a phone records: stores each point until the server has processed it.
struct SimulatedRecording: Sendable {
    /// The time between two batches.
    static let interval = TimeSpan.seconds(10)
    private static let pointsOfBatch = 4

    let number: Int
    let finishes: Bool
    private let phone: Int
    private var batchesLeft: Int
    private var lastSeq: UInt32 = 0
    /// Nil until the server has answered.
    private(set) var id: RecordingID?
    private(set) var waiting: [RecordedPoint] = []

    /// Creates a recording without points.
    init(number: Int, batches: Int, finishes: Bool, phone: Int) {
        (self.number, self.finishes, self.phone, batchesLeft) = (number, finishes, phone, batches)
    }

    /// `true` once the phone has made all points.
    var isOver: Bool { batchesLeft == 0 }

    var key: String { "recording-\(number)" }

    /// The position of a point: each occurs once in a story.
    static func position(_ seq: UInt32, phone: Int, recording: Int) -> Coordinate {
        Coordinate(
            latitude: 1 + Double(seq) * 0.000_4,
            longitude: 127 + Double(phone) * 0.01 + Double(recording) * 0.000_1
        )
    }

    /// Makes the points of the last ten seconds.
    mutating func move(_ clocks: (Instant) -> ClockReadings, at now: Instant) {
        batchesLeft -= 1
        for index in 0..<Self.pointsOfBatch {
            lastSeq += 1
            let made = now - .milliseconds(Int64(Self.pointsOfBatch - 1 - index) * 2_500)
            let readings = clocks(made)
            waiting.append(
                RecordedPoint(
                    Fix(
                        seq: lastSeq,
                        coordinate: Self.position(lastSeq, phone: phone, recording: number),
                        accuracyMetres: 5,
                        uptimeMs: readings.uptimeMs,
                        wallMs: readings.wallMs
                    )
                )
            )
        }
    }

    /// The request with the pending points; nil before the recording has an id, and without any.
    ///
    /// - Parameter sent: the readings of the phone's clocks.
    func append(at sent: ClockReadings) -> WireRequest? {
        guard let id, !waiting.isEmpty else { return nil }
        var append = WireAppendRecording()
        (append.recordingID, append.points) = (id.wireText, waiting.map(WireRecordedPoint.init))
        if let uptimeMs = sent.uptimeMs { append.uptimeMs = uptimeMs }
        if let timestamp = sent.wallMs.flatMap(WireTimestamp.init(readingMs:)) { append.sentAt = timestamp }
        return .appendRecording(append)
    }

    /// Sets the id from the server's answer to the start.
    mutating func begin(as id: RecordingID) { self.id = id }

    /// Removes points that the server has processed.
    mutating func forget(_ seqs: [UInt32]) {
        let known = Set(seqs)
        waiting.removeAll { known.contains($0.fix.seq) }
    }

    /// Closes the recording: nothing more is sent.
    mutating func end() { (batchesLeft, waiting) = (0, []) }
}

extension WireRecordedPoint {
    fileprivate init(_ point: RecordedPoint) {
        self.init()
        let fix = point.fix
        (seq, latitude, longitude) = (fix.seq, fix.coordinate.latitude, fix.coordinate.longitude)
        if let accuracy = fix.accuracyMetres { accuracyMetres = accuracy }
        if let uptimeMs = fix.uptimeMs { self.uptimeMs = uptimeMs }
        if let timestamp = fix.wallMs.flatMap(WireTimestamp.init(readingMs:)) { recordedAt = timestamp }
    }
}
