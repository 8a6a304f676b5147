internal import PromisedDomain
internal import PromisedJournal

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

    /// The device's name, which does not depend on a connection.
    static func device(_ phone: Int) -> String { "recorder-\(phone)" }

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
