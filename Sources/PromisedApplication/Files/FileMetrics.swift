internal import CoreMetrics
internal import PromisedFormats

/// The counters of uploads and pictures.
struct FileMetrics: Sendable {
    /// The outcomes of uploads, including why some did not begin.
    enum Outcome: String, Sendable, CaseIterable {
        /// The upload became a file.
        case finished
        /// The digest differs from the announced one; the upload starts over.
        case mismatch
        /// The bytes are not a file of the announced kind, or a picture is too large.
        case refused
        /// The upload expired an hour after its last chunk.
        case forgotten
        /// The upload did not begin: the user's quota is used up.
        case quota
        /// The upload did not begin: the disk lacks the required free space.
        case noSpace = "no-space"
    }

    private let uploads: [Outcome: Counter]
    private let pictures: [ImageProblem.Reason: Counter]

    /// Counters at zero, one for each value of the labels.
    init(_ factory: any MetricsFactory) {
        func counter(_ name: String, _ label: (String, String)) -> Counter {
            Counter(label: name, dimensions: [label], factory: factory)
        }
        uploads = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map {
                ($0, counter("promised_uploads_total", ("outcome", $0.rawValue)))
            }
        )
        pictures = Dictionary(
            uniqueKeysWithValues: ImageProblem.Reason.allCases.map {
                ($0, counter("promised_refused_pictures_total", ("reason", $0.rawValue)))
            }
        )
    }

    /// Counts uploads that ended, or did not begin.
    func note(_ outcome: Outcome, _ count: Int = 1) { uploads[outcome]?.increment(by: count) }

    /// Counts a rejected picture.
    func refused(_ reason: ImageProblem.Reason) { pictures[reason]?.increment() }
}
