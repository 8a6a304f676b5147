internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSimulation

/// The phone under the client library: walks, measures positions, and holds the files to send.
struct AppPhone: Sendable {
    /// Represents the phone in the positions of recorded points; no phone of a light client has this number.
    static let number = 40
    static let recording = 0
    private static let pointsOfBatch = 4

    private var errors: WalkErrors
    /// The number of the latest walk, the only active one.
    private(set) var walkNumber = 0
    /// The files to send.
    var uploads: [SimulatedUpload] = []
    private var lastPoint: UInt32 = 0
    /// `true` from the beginning of its recording to the last points.
    var isRecording = false

    /// Creates an idle phone.
    ///
    /// - Parameter system: whose measured errors it makes; nil: some metres along the way.
    init(erringLike system: MeasuredPhone.System?, seed: UInt64) {
        errors = WalkErrors(system, omitting: (0, 0.3), seed: seed ^ 0x6C69_62)
    }

    /// Begins a walk, which ends the previous one. Returns its number.
    mutating func beginWalk() -> Int {
        walkNumber += 1
        errors.beginWalk()
        return walkNumber
    }

    /// Measures a position; nil if none is found.
    mutating func locate(on walk: Walk, at now: Instant) -> WireFix? {
        guard let position = errors.position(on: walk, at: now) else { return nil }
        let point = Walk.point(position.metres, eastMetres: position.eastMetres)
        var fix = WireFix()
        (fix.latitude, fix.longitude) = (point.latitude, point.longitude)
        if let accuracy = position.accuracyMetres { fix.accuracyMetres = accuracy }
        if let speed = position.speedMps { fix.speedMps = speed }
        return fix
    }

    /// Makes the points of the last ten seconds, each with its age.
    mutating func record() -> [(WireRecordedPoint, age: Duration)] {
        (0..<Self.pointsOfBatch).map { index in
            lastPoint += 1
            let position = SimulatedRecording.position(lastPoint, phone: Self.number, recording: Self.recording)
            var point = WireRecordedPoint()
            (point.latitude, point.longitude) = (position.latitude, position.longitude)
            point.accuracyMetres = 5
            return (point, .milliseconds((Self.pointsOfBatch - 1 - index) * 2_500))
        }
    }
}
