import PromisedClient
import PromisedProtocol

/// A user with many photos who exports their data.
struct ExportingUser: Sendable {
    /// The number of connections that upload photos: a user can have three open uploads.
    static let lanes = 3
    /// The interval for checking if the export is complete.
    private static let glance = Duration.milliseconds(250)

    private let client: PromisedClient
    private let record: BackgroundRecord

    init(_ client: PromisedClient, record: BackgroundRecord) {
        self.client = client
        self.record = record
    }

    /// Exports when the measurement begins. An export that is incomplete at its end is an error.
    func work(in measured: Range<LoadTime>) async {
        do throws(ClientError) {
            try await PacedCaller.pause(until: measured.lowerBound)
            let start = LoadTime.now
            while LoadTime.now < measured.upperBound {
                let export = try await client.exportMyData()
                switch export.state {
                case .ready: return record.exported(in: .now - start, bytes: Int(exactly: export.file.bytes) ?? 0)
                case .working: try await PacedCaller.pause(until: .now + Self.glance)
                case .tooEarly: return record.fail("export", "too-early")
                case .unspecified, .UNRECOGNIZED: throw .unexpectedReply
                }
            }
            record.fail("export", "unfinished")
        } catch {
            record.fail("export", error)
        }
    }

    /// The number of photos of each uploading connection; the sum is `photos`.
    static func shares(of photos: Int) -> [Int] {
        (0..<lanes).map { photos / lanes + ($0 < photos % lanes ? 1 : 0) }
    }
}
