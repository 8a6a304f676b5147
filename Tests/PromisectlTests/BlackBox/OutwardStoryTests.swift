import Foundation
import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// Complete runs of the built binaries, with all their traffic to other hosts.
@Suite("Connections to other hosts", .tags(.realTime), .timeLimit(.minutes(3)))
struct OutwardStoryTests {
    // MARK: - By default

    private static let canIsolate = Sandbox.loopback.isPermitted

    /// Runs in their default configuration: a server under load, and a demonstration with recorded weather.
    private static let runs: [[String]] = [
        [Tool.promiseLoad.url.path, "--connections", "20", "--duration", "3s", "--warm-up", "1s"],
        [Tool.promised.url.path, "demo", "--once", "--speed", "2000", "--listen", "127.0.0.1:0"],
    ]

    @Test(
        .proves("13.1"),
        .enabled(if: canIsolate, "this machine does not permit a network namespace"),
        arguments: runs
    )
    func `connects only to the server itself by default`(command: [String]) async throws {
        let counters = try await Sandbox.loopback.counters(after: command)
        #expect(counters.code == 0)
        #expect(counters.attemptsOutwards == 0 && counters.strayDatagrams == 0)
        let begun = try #require(counters.begun)
        #expect(begun > 0 && counters.taken == begun)
    }

    @Test(.enabled(if: canIsolate, "this machine does not permit a network namespace"))
    func `counts an attempt to reach another host`() async throws {
        let counters = try await Sandbox.loopback.counters(after: ["/bin/bash", "-c", ": > /dev/tcp/192.0.2.1/443"])
        #expect(counters.code != 0 && counters.attemptsOutwards == 1 && counters.begun == 0)
    }

    // MARK: - With weather

    private static let place = (latitude: 37.579871, longitude: 126.989362)
    private static let pier = (latitude: 37.513478, longitude: 126.943215)
    private static let keys = "kma: k1\nopen-meteo: k2\n"

    /// The allowed forms of requests: keys and fixed words, and cells: two of KMA, and one of a tenth of a degree.
    private static let shapes = [
        #"/kma/getVilageFcst\?serviceKey=k1&pageNo=1&numOfRows=1000&dataType=JSON"#
            + #"&base_date=[0-9]{8}&base_time=[0-9]{4}&nx=(60&ny=127|59&ny=126)"#,
        #"/met/locationforecast/2\.0/compact\?lat=37\.55&lon=126\.95"#,
        #"/open-meteo/forecast\?latitude=37\.55&longitude=126\.95&hourly=[a-z_,0-9]+&wind_speed_unit=ms"#
            + #"&past_days=1&forecast_days=16&timeformat=unixtime&timezone=GMT&apikey=k2"#,
        #"/air/air-quality\?latitude=37\.55&longitude=126\.95&hourly=pm10,pm2_5"#
            + #"&past_days=1&forecast_days=5&timeformat=unixtime&timezone=GMT&apikey=k2"#,
    ]

    @Test(.proves("13.1"), .enabled(if: FakeProviders.isPossible, FakeProviders.absence))
    func `a server with weather sends only cells during a promise's life`() async throws {
        let folder = OperatorWorld.temporaryPath()
        defer {
            // A temporary folder: the system removes what stays here.
            try? FileManager.default.removeItem(atPath: folder)
        }
        let providers = try await FakeProviders.start(in: folder)
        try Data(Self.keys.utf8).write(to: URL(filePath: folder + "/keys"))
        let csv = "name,latitude,longitude\nSecret garden,\(Self.place.latitude),\(Self.place.longitude)\n"
        try Data(csv.utf8).write(to: URL(filePath: folder + "/places.csv"))
        let settings = [
            "weather.providers=kma,met-norway,open-meteo", "weather.air=open-meteo",
            "weather.key-file=\(folder)/keys", "weather.contact=ops@example.org", "weather.url=\(providers.addresses)",
            "limits.request-rate=10000", "limits.request-burst=100000",
        ]
        do {
            try await OperatorWorld.with(settings: settings, in: providers.sandbox) { world in
                try await world.makeUser("ada")
                let columns = ["name", "latitude", "longitude"].flatMap { ["--map", "\($0)=\($0)"] }
                let source = ["--source", "gardens", "--category", "park", "--time-zone", "Asia/Seoul"]
                try await world.output(of: ["place", "import", folder + "/places.csv"] + source + columns)
                let id = try await world.live(as: "ada", at: Self.pier)
                let garden = try await world.garden(as: "ada")
                try await world.output(of: ["weather", "refresh", garden])
                try await world.output(of: ["promise", "cancel", id, "--yes"])
            }
        } catch {
            _ = await providers.stop()
            throw error
        }
        let requests = await providers.stop()
        let shapes = try Self.shapes.map { try Regex($0) }
        let seen = shapes.map { shape in requests.filter { (try? shape.wholeMatch(in: $0.target)) != nil }.count }
        #expect(seen.reduce(0, +) == requests.count && seen.allSatisfy { $0 > 0 }, "\(requests.map(\.target))")
        for request in requests {
            #expect(request.method == "GET")
            let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0[0].lowercased(), $0[1]) })
            // Sends no cookie back, though each reply sets one.
            #expect(Set(headers.keys) == ["host", "user-agent", "accept"])
            #expect(headers["accept"] == "application/json")
            #expect(headers["user-agent"]?.wholeMatch(of: /promised\/[0-9.]+ \(ops@example\.org\)/) != nil)
        }
    }
}

extension OperatorWorld {
    /// A promise of a user from its creation to the reports in its window, with its outlook requested.
    ///
    /// - Returns: its id.
    fileprivate func live(as nickname: String, at pier: (latitude: Double, longitude: Double)) async throws -> String {
        try await signedIn(as: nickname) { client in
            _ = try await client.hello()
            var request = WireCreatePromise()
            (request.key, request.title) = ("1", "Secret walk")
            request.place = .with {
                ($0.name, $0.address, $0.latitude, $0.longitude) = ("Pier", "Lane 7", pier.latitude, pier.longitude)
            }
            // The window opens a minute before, and a promise needs as much notice.
            request.meetsAt = Google_Protobuf_Timestamp(date: .now + 72)
            let id = try await client.createPromise(request).promise.promiseID
            _ = try await client.subscribe(promiseID: id)
            while try await client.getOutlook(promiseID: id).weatherState != .ready { await Task.yield() }
            for await notice in client.notices {
                if case .event(let event) = notice, case .trackingStarted = event.what { break }
            }
            var report = WireReport()
            report.fixes = (0..<10).map { number in
                .with {
                    ($0.seq, $0.latitude, $0.longitude) = (UInt32(number + 1), 37.6 + Double(number) / 10, 127.8)
                    $0.accuracyMetres = 5
                }
            }
            #expect(try await !client.report(report).taken.isEmpty)
            return id
        }
    }

    /// The id of the only place of the directory, once indexed; as a favourite its weather is requested.
    fileprivate func garden(as nickname: String) async throws -> String {
        try await signedIn(as: nickname) { client in
            var found = try await client.searchPlaces(text: "Secret garden").cards
            while found.isEmpty { found = try await client.searchPlaces(text: "Secret garden").cards }
            let id = try #require(found.first).placeID
            _ = try await client.addFavourite(key: "2", placeID: id, label: "Hidden")
            while try await client.getOutlook(placeID: id).weatherState != .ready { await Task.yield() }
            return id
        }
    }
}
