import Foundation
import Testing

@testable import promise_load

@Suite struct MeasureTests {
    @Test func `percentiles are exact to three digits`() throws {
        var record = LatencyRecord()
        for millisecond in 1...1_000 { record.record(.milliseconds(millisecond)) }
        let summary = try #require(record.summary)
        #expect(record.count == 1_000)
        #expect(abs(summary.p50 - 500) <= 1)
        #expect(abs(summary.p90 - 900) <= 1)
        #expect(abs(summary.p99 - 990) <= 1)
        #expect(abs(summary.p999 - 999) <= 1)
        #expect(abs(summary.max - 1_000) <= 1)
    }

    @Test func `has no percentiles without values, and ignores negative latencies`() throws {
        var record = LatencyRecord()
        #expect(record.summary == nil)
        record.record(.milliseconds(-5))
        #expect(try #require(record.summary).max == 0)
    }

    @Test func `adds the counts of processes, also from JSON`() throws {
        var one = LoadTally()
        one.reports = 3
        one.connectSeconds = 2
        one.deliveryLatency.record(.milliseconds(10))
        one.count(error: "limit.rate")
        one.count(Violation.wrongRank)
        var other = one
        other.connectSeconds = 5
        other.deliveryLatency.record(.milliseconds(90_000))
        one.merge(try JSONDecoder().decode(LoadTally.self, from: JSONEncoder().encode(other)))
        #expect(one.reports == 6)
        #expect(one.connectSeconds == 5)
        #expect(one.deliveryLatency.count == 3)
        #expect(one.errors == ["limit.rate": 2])
        #expect(one.violations == ["wrong-rank": 2])
        #expect(abs(try #require(one.deliveryLatency.summary).max - 90_000) < 100)
    }

    @Test func `reads processor time and memory in the kernel's format`() {
        let fields = Array(repeating: "1", count: 10).joined(separator: " ")
        #expect(ProcessSample.cpuSeconds(stat: "7 (a ) b) S \(fields) 150 50 0 0") == 2)
        #expect(ProcessSample.cpuSeconds(stat: "7 (a) S 1") == nil)
        #expect(ProcessSample.memoryBytes(status: "Name:\ta\nVmRSS:\t  2048 kB\nThreads:\t1\n") == 2_097_152)
        #expect(ProcessSample.memoryBytes(status: "Name:\ta\n") == nil)
    }

    @Test func `a process reads its own usage`() throws {
        let sample = try #require(ProcessSample(pid: getpid()))
        #expect(sample.memoryBytes > 1_000_000)
        #expect(ProcessSample(pid: 0) == nil)
    }

    @Test func `splits lines at their ends in any pieces`() {
        var splitter = LineSplitter()
        #expect(splitter.add(Data("on".utf8)) == [])
        #expect(splitter.add(Data("e\ntwo\nthr".utf8)) == ["one", "two"])
        #expect(splitter.add(Data("ee".utf8)) == [])
        #expect(splitter.add(Data()) == ["three"])
        #expect(splitter.add(Data()) == [])
    }

    @Test(arguments: [(0.0, 1, "0.0"), (2.25, 1, "2.3"), (-1.96, 1, "-2.0"), (-0.01, 1, "0.0"), (12.0, 0, "12")])
    func `rounds numbers for people`(value: Double, digits: Int, text: String) {
        #expect(NumberText.rounded(value, digits: digits) == text)
    }
}

@Suite struct LoadReportTests {
    private func report(_ tally: LoadTally = LoadTally(), usage: PeerUsage = PeerUsage()) -> LoadReport {
        LoadReport(plan: LoadPlan(), connections: 100, members: 10, tally: tally, idle: nil, usage: usage)
    }

    @Test func `the document has every field, null if unknown`() throws {
        let document = try #require(
            try JSONSerialization.jsonObject(with: report().json()) as? [String: Any]
        )
        for key in [
            "reports", "delivered", "due", "missing", "deliveryLatencyMs", "arrivalLatencyMs", "framesPerDelivery",
            "serverCpuSecondsPerMillionDeliveries", "bytesPerDelivery", "memoryBytesPerConnection", "connectSeconds",
            "errors",
        ] { #expect(document[key] != nil, "\(key)") }
        #expect(document["deliveryLatencyMs"] is NSNull)
    }

    @Test func `figures are per delivery and per connection`() throws {
        var tally = LoadTally()
        tally.deliveries = DeliveryLedger.Counts(due: 500, delivered: 500, missing: 0, excused: 0)
        tally.frames = 100
        tally.bytes = 50_000
        tally.connected = 100
        tally.deliveryLatency.record(.milliseconds(20))
        var usage = PeerUsage()
        usage.first = ProcessSample(cpuSeconds: 1, memoryBytes: 0)
        usage.last = ProcessSample(cpuSeconds: 1.5, memoryBytes: 900_000)
        let idle = ProcessSample(cpuSeconds: 0, memoryBytes: 400_000)
        let report = LoadReport(
            plan: LoadPlan(),
            connections: 100,
            members: 10,
            tally: tally,
            idle: idle,
            usage: usage
        )
        let numbers = try report.numbers()
        #expect(numbers["serverCpuSecondsPerMillionDeliveries"] == .some(1_000))
        #expect(numbers["framesPerDelivery"] == .some(0.2))
        #expect(numbers["bytesPerDelivery"] == .some(100))
        #expect(numbers["memoryBytesPerConnection"] == .some(5_000))
        let known = try #require(numbers["deliveryLatencyMs.p99"])
        let p99 = try #require(known)
        #expect(abs(p99 - 20) < 0.1)
        #expect(numbers["arrivalLatencyMs"] == .some(nil))
        #expect(report.isClean)
        #expect(report.table().contains("500 of 500, 0 missing"))
    }

    @Test func `reports missing, wrong or malformed deliveries`() {
        var missing = LoadTally()
        missing.deliveries.missing = 1
        var wrong = LoadTally()
        wrong.count(Violation.outsider)
        var broken = LoadTally()
        broken.count(error: "closed.1006")
        for tally in [missing, wrong, broken] { #expect(!report(tally).isClean) }
    }

    @Test func `the document has the background work, and the table if there was any`() throws {
        var tally = LoadTally()
        tally.background.photos = 12
        tally.background.uploadedBytes = 90_000_000
        tally.background.recordings = 3
        tally.background.points = 500
        (tally.background.exportSeconds, tally.background.exportBytes) = (7.25, 524_000_000)
        let plan = BackgroundPlan(uploads: 2, recordings: 4, exportMebibytes: 500)
        let report = LoadReport(
            plan: LoadPlan(),
            background: plan,
            connections: 100,
            members: 10,
            tally: tally,
            idle: nil,
            usage: PeerUsage()
        )
        let numbers = try report.numbers()
        #expect(numbers["uploads"] == .some(2) && numbers["recordings"] == .some(4))
        #expect(numbers["exportMebibytes"] == .some(500))
        #expect(numbers["photosUploaded"] == .some(12))
        #expect(numbers["uploadedBytesPerSecond"] == .some(1_500_000))
        #expect(numbers["recordingsFinished"] == .some(3) && numbers["pointsRecorded"] == .some(500))
        #expect(numbers["exportSeconds"] == .some(7.25) && numbers["exportBytes"] == .some(524_000_000))
        for text in ["12 by 2 users, 1.5 MB per second", "500 by 4 users, 3 recordings finished", "7.3 s, 524.0 MB"] {
            #expect(report.table().contains(text), "\(text)")
        }
        #expect(report.isClean)
        let alone = self.report()
        #expect(try alone.numbers()["exportSeconds"] == .some(nil))
        for row in ["photos uploaded", "points recorded", "export"] {
            #expect(!alone.table().contains(row), "\(row)")
        }
    }

    @Test func `an error of the background work is an error of the run`() throws {
        var tally = LoadTally()
        tally.count(error: "connect")
        tally.background.count(error: "file.quota", of: "upload")
        let report = report(try JSONDecoder().decode(LoadTally.self, from: JSONEncoder().encode(tally)))
        #expect(report.faults.errors == 2 && !report.isClean)
        #expect(report.faults.errorCodes == ["connect": 1, "upload.file.quota": 1])
    }

    @Test func `counts growth from the third minute on`() {
        var usage = PeerUsage()
        usage.last = ProcessSample(cpuSeconds: 0, memoryBytes: 1_500)
        usage.memory = [
            PeerUsage.Memory(second: 170, bytes: 100), PeerUsage.Memory(second: 180, bytes: 1_000),
            PeerUsage.Memory(second: 190, bytes: 1_200),
        ]
        #expect(usage.growthBytes == 500)
        usage.memory.removeLast(2)
        #expect(usage.growthBytes == nil)
    }
}
