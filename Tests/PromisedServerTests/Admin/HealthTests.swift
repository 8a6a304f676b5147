import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedServer
@testable import PromisedSettings

@Suite struct HealthTests {
    private static let mebibyte = 1 << 20

    /// Free and total space in MiB.
    @Test(arguments: [
        (100_000, 200_000, "ok"), (1_024, 100_000, "ok"), (1_023, 100_000, "warning"), (600, 10_000, "ok"),
        (499, 10_000, "warning"), (64, 10_000, "warning"), (63, 10_000, "failed"),
    ])
    func `less free space is worse`(free: Int, total: Int, state: String) {
        let finding = HealthChecks.disk(space: (free * Self.mebibyte, total * Self.mebibyte))
        #expect("\(finding.state)" == state)
        #expect(finding.advice.isEmpty == (state == "ok"))
    }

    @Test func `fails for an unreadable directory`() {
        #expect(HealthChecks.disk(space: nil).state == .failed)
        #expect(MachineReading.space(at: "/no/such/folder") == nil)
        #expect(MachineReading.space(at: "/").map { $0.free <= $0.total } == true)
    }

    @Test func `files need a readable folder with the reserved free space`() {
        func state(_ free: Int64?) -> WireAdminHealthState.Value {
            HealthChecks.keptFiles((2, 3_000), uploads: 1, free: free, keepFree: 100).state
        }
        #expect(state(100) == .ok && state(99) == .warning && state(nil) == .failed)
        let finding = HealthChecks.keptFiles((2, 3_000), uploads: 1, free: 100, keepFree: 100)
        #expect(finding.detail == "Files of users: 2 with 2.9 KiB; uploads that are not complete: 1.")
        #expect(finding.advice.isEmpty)
    }

    @Test func `warns of many pending exports`() {
        #expect(HealthChecks.exports(20).state == .ok)
        #expect(HealthChecks.exports(21).state == .warning)
    }

    @Test func `warns before descriptors and memory run out`() {
        #expect(HealthChecks.files((900, 1_000)).state == .ok)
        #expect(HealthChecks.files((901, 1_000)).state == .warning)
        #expect(HealthChecks.files((0, 0)).state == .skipped)
        #expect(HealthChecks.memory(resident: 1, machine: (5, 100)).state == .ok)
        #expect(HealthChecks.memory(resident: 1, machine: (4, 100)).state == .warning)
        #expect(HealthChecks.memory(resident: 1, machine: nil).state == .ok)
        #expect(MachineReading.memory.map { $0.available < $0.total } == true)
    }

    /// How far the wall clock is ahead of the monotonic clock, in milliseconds.
    @Test(arguments: [(0, "ok"), (5_000, "ok"), (-5_000, "ok"), (5_001, "warning"), (-5_001, "warning")])
    func `warns of a moved wall clock`(moved: Int, state: String) {
        let (wall, own) = (Instant(milliseconds: 1_000_000), ContinuousClock.now)
        let clock = ClockCheck(wall: wall, monotonic: own, isOwn: false)
        let later = wall + .seconds(60) + .milliseconds(Int64(moved))
        #expect("\(clock.finding(at: later, own + .seconds(60)).state)" == state)
        #expect(ClockCheck(wall: wall, monotonic: own, isOwn: true).finding(at: wall, own).state == .warning)
    }

    /// A certificate made with `openssl req -x509` that ends at 2036-11-18T11:52:44Z.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBczCCARmgAwIBAgIULXK6LeSazzfqAH4C4Le2D6iQtPUwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMjExMTUyNDRaFw0zNjExMTgxMTUyNDRa
        MA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARohLIy
        /DeOiS5Aig9dYCrucKQNHvvEhvFgDLRmiVAJavk/pwaj6DdLMCXGkk841RK2PtAC
        9HlZEP3sT+jQPoYho1MwUTAdBgNVHQ4EFgQU39JauhQa+GD1gKI96fBKox7QCzkw
        HwYDVR0jBBgwFoAU39JauhQa+GD1gKI96fBKox7QCzkwDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiEArJEW30X9+rwVJxBvYyoVjOHOH8x+xgryE9oC
        85pYeokCICPhsBXKiafO4otQ74GzeyjhHKgkiv410AQ6Jqb1pnGc
        -----END CERTIFICATE-----
        """

    @Test(arguments: [
        ("2026-11-21T09:00:00Z", "ok"), ("2036-11-04T11:52:44Z", "ok"), ("2036-11-04T11:52:45Z", "warning"),
        ("2036-11-18T11:52:43Z", "warning"), ("2036-11-18T11:52:44Z", "failed"),
    ])
    func `warns two weeks before a certificate's expiry`(now: String, state: String) throws {
        let file = try TemporaryFile(Self.certificate, name: "server.pem")
        let finding = HealthChecks.certificate(file: file.path, at: try #require(Instant(rfc3339: now)))
        #expect("\(finding.state)" == state, "\(finding.detail)")
    }

    @Test func `an invalid certificate fails the check, and a missing one skips it`() throws {
        let now = Instant(milliseconds: 0)
        #expect(HealthChecks.certificate(file: nil, at: now).state == .skipped)
        #expect(HealthChecks.certificate(file: "/no/such/file", at: now).state == .failed)
        for pem in ["", "rubbish", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"] {
            #expect(CertificateEnd(pem: pem) == nil)
        }
        #expect(CertificateEnd(der: [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
        #expect(CertificateEnd(der: [0x30, 0x80]) == nil && CertificateEnd(der: []) == nil)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (10_240, "10 KiB"), (5 << 30, "5 GiB"),
        (3 << 50, "3072 TiB"),
    ])
    func `rounds bytes for people`(bytes: Int, text: String) {
        #expect(SizeText.rounded(bytes) == text)
    }
}
