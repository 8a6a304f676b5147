package import PromisedDomain

/// An event in the life of a recording.
package enum RecordingEvent: Sendable {
    /// A device sends points.
    case append(RecordedBatch)
    /// The user finishes it. The caller has measured the clean way of all stored points and provides the id of the
    /// future course; both are used only if there is no course yet.
    case finish(as: CourseID, CourseStatistics)
    /// The user discards it.
    case discard
    /// The answer to ``RecordingEffect/measure``, as for ``finish(as:_:)``.
    case expire(as: CourseID, CourseStatistics)
    /// The clock reached the instant of ``RecordingEffect/wake(at:)``, or the machine has just been restored.
    case wake
}

/// The effects of a recording, performed in this order. The changes of the store that one event causes belong in one
/// transaction, and are durable before anything is replied or announced.
package enum RecordingEffect: Hashable, Sendable {
    /// Store these points.
    case keep([KeptPoint])
    /// Store the recording as it is now.
    case save(Recording)
    /// Make a course of all stored points, with this id.
    case makeCourse(CourseID)
    /// Delete the recording with its points.
    case remove
    /// Measure the clean way of all stored points, then feed ``RecordingEvent/expire(as:_:)``.
    case measure
    /// Notify the user that the recording is interrupted.
    case tellInterrupted
    /// Wake the machine at this instant, which is earlier than any pending wake.
    case wake(at: Instant)
    /// Answer the request.
    case reply(RecordingReply)
}

/// The answer to a request about a recording.
package enum RecordingReply: Hashable, Sendable {
    /// The points were accepted or rejected.
    case recorded(RecordingReceipt)
    /// It has become this course.
    case course(CourseID)
    /// It is discarded.
    case done
    /// The request is refused.
    case refused(RecordingRefusal)
}

/// The fate of the points of a batch.
package struct RecordingReceipt: Hashable, Sendable {
    /// The accepted numbers, repeats included, in the order of the batch.
    package var taken: [UInt32] = []
    /// The points that were refused, in the order of the batch: invalid, more than 60 s ahead, or more than 30 days
    /// back.
    package var rejected: [ReportReceipt.Rejection] = []
    /// The greatest number ever accepted from the device; 0 for none.
    package var lastSeq: UInt32 = 0

    /// An empty receipt.
    package init() {}
}

/// Why a request about a recording is refused.
package enum RecordingRefusal: Hashable, Sendable {
    /// It was discarded, or deleted because it was too short (`recording.not-found`).
    case notFound
    /// It has become a course (`recording.closed`).
    case closed
    /// It has fewer than two counted points (`course.too-short`).
    case tooShort
    /// A field of the request is invalid; the name is the one on the wire.
    case invalid(field: String)
}

extension Refusal {
    /// The refusal of a request about a recording.
    package init(_ refusal: RecordingRefusal) {
        self =
            switch refusal {
            case .notFound: .recordingNotFound
            case .closed: .recordingClosed
            case .tooShort: .courseTooShort
            case .invalid(let field): .invalid(field: field)
            }
    }
}
