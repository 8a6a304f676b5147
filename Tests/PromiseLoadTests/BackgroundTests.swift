import Foundation
import PromisedClient
import PromisedDomain
import Testing

@testable import promise_load

@Suite struct BackgroundTests {
    @Test(arguments: [
        (BackgroundPlan(), 0, 0), (BackgroundPlan(uploads: 20, recordings: 100), 120, 0),
        // 500 MiB are 524,288,000 bytes.
        (BackgroundPlan(uploads: 1, exportMebibytes: 500), 2, 262),
        (BackgroundPlan(exportMebibytes: 1, photoBytes: 1_048_576), 1, 1),
        (BackgroundPlan(exportMebibytes: 1, photoBytes: 1_048_577), 1, 1),
    ])
    func `a plan needs an account for each user, and photos within the quota`(
        plan: BackgroundPlan,
        accounts: Int,
        photos: Int
    ) {
        #expect(plan.accounts == accounts)
        #expect(plan.exportPhotos == photos)
    }

    @Test(arguments: [0, 1, 2, 3, 262])
    func `connections share the photos of an export`(photos: Int) throws {
        let shares = ExportingUser.shares(of: photos)
        #expect(shares.count == 3 && shares.reduce(0, +) == photos)
        #expect(try #require(shares.max()) - #require(shares.min()) <= 1)
    }

    @Test func `a photo has exactly the requested size and no marker within its data`() {
        for count in Array(1_000...1_300) + [2_000_000] {
            let photo = LoadPhoto(count: count)
            #expect(photo.bytes.count == count)
            #expect(photo.bytes.starts(with: [0xFF, 0xD8]) && photo.bytes.suffix(2).elementsEqual([0xFF, 0xD9]))
            // The header of the only scan, before the data.
            let scan = photo.bytes.range(of: Data([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]))
            let data = photo.bytes[(scan?.upperBound ?? count)..<count - 2]
            #expect(data.count > 800)
            #expect(!zip(data, data.dropFirst()).contains { $0 == 0xFF && $1 != 0 } && data.last != 0xFF)
        }
    }

    @Test func `photos of one size and their digests are equal`() {
        let (one, other) = (LoadPhoto(count: 5_000), LoadPhoto(count: 5_000))
        #expect(one.bytes == other.bytes && one.sha256 == other.sha256)
        #expect(one.sha256.count == 64 && one.sha256 != LoadPhoto(count: 5_001).sha256)
        // Each of the 256 values of a byte is frequent in the picture.
        #expect(LoadPhoto(count: 100_000).bytes.count { $0 == 0xFF } > 200)
    }

    @Test func `counts only work in the measured time, but every error`() {
        let start = LoadTime(microseconds: 1_000)
        let record = BackgroundRecord(measured: start..<start + .seconds(1))
        for moment in [start + .microseconds(-1), start, start + .milliseconds(999), start + .seconds(1)] {
            record.note(at: moment) { $0.points += 5 }
        }
        record.fail("upload", "file.quota")
        record.fail("upload", ClientError.timedOut)
        record.fail("export", ClientError.cancelled)
        record.exported(in: .milliseconds(2_500), bytes: 7)
        var expected = BackgroundTally()
        expected.points = 10
        expected.errors = ["upload.file.quota": 1, "upload.timed-out": 1]
        (expected.exportSeconds, expected.exportBytes) = (2.5, 7)
        #expect(record.counts == expected)
    }
}
