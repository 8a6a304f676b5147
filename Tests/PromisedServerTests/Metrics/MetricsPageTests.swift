import Foundation
import FoundationNetworking
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedServer

extension ServerWorld {
    /// The page of metrics with its gauges up to date, as a scraper gets it.
    func scrape() async throws -> String {
        await service.refreshMetrics()
        let url = try #require(URL(string: "http://\(address.host):\(address.port)/metrics"))
        let (data, response) = try await URLSession.shared.data(from: url)
        let answer = try #require(response as? HTTPURLResponse)
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        return String(decoding: data, as: UTF8.self)
    }
}

@Suite("The page of metrics", .tags(.realTime), .timeLimit(.minutes(3)))
struct MetricsPageTests {
    @Test(.proves("/metrics")) func `shows every metric of the catalogue from the start`() async throws {
        try await ServerWorld.with { world in
            let page = try PrometheusReader(try await world.scrape())
            #expect(Set(page.metrics.keys) == Set(MetricCatalogue.all.map(\.name)))
            for metric in MetricCatalogue.all {
                #expect(page.metrics[metric.name]?.help == metric.help)
                #expect(page.metrics[metric.name]?.type == metric.kind.rawValue)
            }
            #expect(page[#"promised_build_info{version="\#(ProductVersion.text)"}"#] == 1)
            #expect(page["promised_ready"] == 1)
        }
    }

    @Test func `shows the process`() async throws {
        try await ServerWorld.with { world in
            let page = try PrometheusReader(try await world.scrape())
            let now = Date().timeIntervalSince1970
            #expect((1e6...1e11).contains(try #require(page["promised_process_resident_memory_bytes"])))
            #expect((1...10_000).contains(try #require(page["promised_process_threads"])))
            #expect((3...1e6).contains(try #require(page["promised_process_open_fds"])))
            #expect((now - 86_400...now).contains(try #require(page["promised_process_start_time_seconds"])))
            let most = try #require(page["promised_process_max_fds"])
            #expect(most >= (page["promised_process_open_fds"] ?? 0))
        }
    }

    @Test func `counts requests, refusals, deliveries and arrivals`() async throws {
        try await ServerWorld.withShortLead { world in
            try await world.with("Ada", "Bea") { ada, bea in
                let id = try await ada.openPromise(with: [bea], in: world)
                _ = try await bea.report(id, seq: 1, metres: 5)
                await ada.wait { $0.contains { !$0.positions.positions.isEmpty } }
                await ada.wait { $0.contains { $0.arrived.arrival.userID == bea.id } }
                let unknown = WireGetPromise.with { $0.promiseID = UUID().uuidString }
                #expect(await bea.refusal(.getPromise(unknown)) == .promiseNotFound)
                let page = try PrometheusReader(try await world.scrape())
                #expect(page[#"promised_requests_total{request="signUp",outcome="done"}"#] == 2)
                #expect(page[#"promised_requests_total{request="report",outcome="done"}"#] == 1)
                #expect(page[#"promised_requests_total{request="subscribe",outcome="done"}"#] == 2)
                #expect(page[#"promised_requests_total{request="getPromise",outcome="refused"}"#] == 1)
                #expect(page[#"promised_request_errors_total{code="promise.not-found"}"#] == 1)
                #expect(page[#"promised_reported_fixes_total{outcome="taken"}"#] == 1)
                #expect(page[#"promised_arrivals_total{source="gps",stage="provisional"}"#] == 1)
                #expect(try #require(page[#"promised_deliveries_total{kind="positions"}"#]) >= 2)
                #expect(try #require(page["promised_delivered_positions_total"]) >= 2)
                #expect(try #require(page["promised_collection_positions_count"]) >= 1)
                #expect(try #require(page["promised_timer_delay_seconds_count"]) >= 1)
                #expect(page[#"promised_sessions{status="tracking"}"#] == 1)
                #expect(page[#"promised_connections{state="signed-in"}"#] == 2)
                #expect(page["promised_connected_users"] == 2)
                #expect(try #require(page[#"promised_store_commits_total{outcome="done"}"#]) >= 5)
                #expect(page[#"promised_store_commits_total{outcome="failed"}"#] == 0)
                let requests = page.metrics["promised_requests_total"]?.samples.values.reduce(0, +)
                #expect(page["promised_request_duration_seconds_count"] == requests)
            }
        }
    }

    @Test func `counts the users' files, recordings and courses`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let ada = people[0]
                let photo = try await ada.upload(.picture)
                _ = try await ada.client.startRecording(key: "1", activity: .walk)
                let page = try PrometheusReader(try await world.scrape())
                #expect(page[#"promised_uploads_total{outcome="finished"}"#] == 1)
                #expect(page[#"promised_files{kind="photo"}"#] == 1)
                #expect(page[#"promised_file_bytes{kind="photo"}"#] == photo.bytes)
                #expect(page[#"promised_recordings{state="recording"}"#] == 1)
                #expect(page[#"promised_courses{source="recording"}"#] == 0)
            }
        }
    }

    @Test func `counts rejections at the handshake`() async throws {
        try await ServerWorld.with { world in
            let signIn = WireSignIn.with {
                $0.email = "nobody@example.org"
                $0.password = "not the password"
            }
            let frame = try world.codec.encode(WireClientFrame(id: 1, request: .signIn(signIn)))
            try await world.exchange(frame)
            try await world.exchange(Array("{".utf8))
            let page = try PrometheusReader(try await world.scrape())
            #expect(page[#"promised_auth_failures_total{request="signIn"}"#] == 1)
            #expect(page[#"promised_requests_total{request="signIn",outcome="refused"}"#] == 1)
            #expect(page["promised_malformed_frames_total"] == 1)
        }
    }

    @Test func `counts the transport's traffic, which its threads report at their ticks`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { _ in
                let thread = #"{end="server",thread="0"}"#
                var page = try PrometheusReader(try await world.scrape())
                while page["promised_transport_sent_frames_total" + thread] == 0
                    || page["promised_transport_loop_lag_seconds_count" + thread] == 0
                {
                    page = try PrometheusReader(try await world.scrape())
                }
                #expect(try #require(page["promised_transport_received_frames_total" + thread]) >= 2)
                #expect(try #require(page["promised_transport_received_bytes_total" + thread]) > 20)
                #expect(try #require(page["promised_transport_sent_bytes_total" + thread]) > 20)
                #expect(try #require(page["promised_transport_connections" + thread]) >= 1)
                #expect(try #require(page["promised_transport_http_requests_total" + thread]) >= 1)
            }
        }
    }

    @Test(.proves("/metrics"), .enabled(if: Tool("promtool") != nil, "promtool is not installed (Debian: prometheus)"))
    func `passes promtool's linter`() async throws {
        try await ServerWorld.with { world in
            let outcome = try #require(Tool("promtool")).run(["check", "metrics"], input: try await world.scrape())
            #expect(outcome.code == 0, "\(outcome.text)")
            #expect(outcome.text.isEmpty, "\(outcome.text)")
        }
    }
}

extension ServerWorld {
    /// Sends a frame over a new connection and waits for an answer or the end.
    fileprivate func exchange(_ frame: [UInt8]) async throws {
        let client = WebSocketClient(logger: Logger.silent)
        let connection = try await rawConnection(client)
        connection.send(frame, isText: codec.isText)
        for await _ in connection.incoming { break }
        await client.shutdown(timeout: .zero)
    }
}
