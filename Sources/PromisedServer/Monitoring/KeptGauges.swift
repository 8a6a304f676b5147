internal import CoreMetrics
internal import PromisedJournal
internal import PromisedStore

/// The gauges of users' files, recordings and courses.
struct KeptGauges: Sendable {
    private let files: [StoredFile.Kind: Gauge]
    private let bytes: [StoredFile.Kind: Gauge]
    private let recordings: [Recording.State: Gauge]
    private let courses: [Course.Source: Gauge]
    private let points: Gauge

    /// Gauges at zero, one for each label value.
    init(_ factory: any MetricsFactory) {
        func gauge(_ name: String, _ label: String, _ value: String) -> Gauge {
            Gauge(label: name, dimensions: [(label, value)], factory: factory)
        }
        let kinds = StoredFile.Kind.allCases
        files = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, gauge("promised_files", "kind", $0.rawValue)) }
        )
        bytes = Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, gauge("promised_file_bytes", "kind", $0.rawValue)) }
        )
        recordings = Dictionary(
            uniqueKeysWithValues: Recording.State.allCases.map {
                ($0, gauge("promised_recordings", "state", $0.rawValue))
            }
        )
        courses = Dictionary(
            uniqueKeysWithValues: Course.Source.allCases.map { ($0, gauge("promised_courses", "source", $0.rawValue)) }
        )
        points = Gauge(label: "promised_course_points", factory: factory)
    }

    /// Updates the gauges from a store; leaves them unchanged while the store fails.
    func count(_ files: FileStore, _ recordings: RecordingStore, _ courses: CourseStore) async {
        do throws(StoreError) {
            let counts = try await files.fileCounts()
            for (kind, gauge) in self.files { gauge.record(counts[kind]?.files ?? 0) }
            for (kind, gauge) in bytes { gauge.record(counts[kind]?.bytes ?? 0) }
            for (state, count) in try await recordings.recordingCounts() { self.recordings[state]?.record(count) }
            let kept = try await courses.courseCounts()
            for (source, count) in kept.courses { self.courses[source]?.record(count) }
            points.record(kept.points)
        } catch {
            // The readiness gauge shows the failure, and the maintenance logs it.
        }
    }
}
