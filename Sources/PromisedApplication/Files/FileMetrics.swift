internal import CoreMetrics
internal import PromisedFormats

/// The counters of uploads and pictures.
struct FileMetrics: Sendable {
    /// The ends of uploads, and the reasons why some do not begin.
    enum Outcome: String, Sendable, CaseIterable {
        /// It has become a file.
        case finished
        /// The digest is another than the announced one; the upload starts over.
        case mismatch
        /// The bytes are no file of the announced kind, or a picture is too large.
        case refused
        /// No chunk came for an hour.
        case forgotten
        /// It did not begin: the user has no space left.
        case quota
        /// It did not begin: the disk has no more free space than is kept.
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

    /// Uploads ended, or one did not begin.
    func note(_ outcome: Outcome, _ count: Int = 1) { uploads[outcome]?.increment(by: count) }

    /// A picture was refused.
    func refused(_ reason: ImageProblem.Reason) { pictures[reason]?.increment() }
}
