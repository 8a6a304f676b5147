import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("Commands for places and weather", .timeLimit(.minutes(1)))
struct PlaceCommandTests {
    private static let id = "01932a4e-0000-7000-8000-00000000000a"

    /// Finds two pages of places, shows one place, and accepts every change of it.
    private static let answer: StubAdministration.Answer = { request in
        switch request {
        case .findPlaces(let request):
            var page = WirePlaces()
            page.cards = [WirePlaceCard.with { $0.place.name = request.cursor.isEmpty ? "First" : "Second" }]
            page.cursor = request.cursor.isEmpty ? "next" : ""
            page.sources = [WirePlaceSource.with { $0.name = request.cursor.isEmpty ? "b" : "a" }]
            return .success(.places(page))
        case .showPlace: return .success(.place(.sample()))
        case .createPlace(let request): return .success(.place(WireAdminPlace.with { $0.row = request.row }))
        case .editPlace(let request): return .success(.place(WireAdminPlace.with { $0.row = request.row }))
        case .removePlace: return .success(.done(WireAdminDone()))
        case .listSources: return .success(.sources(.sample(["cafes": 2, "markets": 3])))
        case .removeSource: return .success(.removedPlaces(WireAdminRemovedPlaces.with { $0.count = 3 }))
        case .getWeatherStatus: return .success(.weatherStatus(.sample([("kma", .ready)], spent: 12)))
        case .refreshWeather: return .success(.outlook(WireOutlook.with { $0.weatherState = .beyond }))
        default: return .failure(.refused("no such form"))
        }
    }

    private func run(_ arguments: String...) async -> (run: Run, requests: [StubAdministration.Request]) {
        let administration = StubAdministration(Self.answer)
        let run = await Run(arguments, StubConnector(administration: administration))
        return (run, administration.requests)
    }

    @Test func `lists all pages with the filter in each request`() async {
        let (run, requests) = await run(
            "place",
            "list",
            "--text",
            "cafe",
            "--category",
            "cafe",
            "--region",
            "KR-11",
            "--source",
            "a",
            "--open-at",
            "2026-11-25T01:00:00Z"
        )
        #expect(run.status == .done && run.output.contains("First") && run.output.contains("Second"))
        #expect(requests.count == 2)
        for request in requests {
            guard case .findPlaces(let request) = request else {
                Issue.record("\(request)")
                continue
            }
            #expect(request.text == "cafe" && request.filter.categories == ["cafe"])
            #expect(request.filter.regions == ["KR-11"] && request.filter.sources == ["a"] && request.filter.hasOpenAt)
        }
    }

    @Test func `lists the sources of all pages once, by name`() async {
        let (run, _) = await run("place", "list", "--json")
        #expect(run.output.contains(#""sources":[{"name":"a"},{"name":"b"}]"#), "\(run.output)")
    }

    @Test func `shows a place with its names and details`() async {
        let (run, _) = await run("place", "show", Self.id)
        for part in ["광장시장", "Gwangjang", "markets", "1905", "the hours cannot be read"] {
            #expect(run.output.contains(part), "\(part)")
        }
    }

    @Test func `creates a place from options`() async {
        let (run, requests) = await run(
            "place",
            "create",
            "--place",
            "37.5,127",
            "--place-name",
            "Shop",
            "--category",
            "cafe",
            "--category",
            "other",
            "--name",
            "ko=가게",
            "--fact",
            "opened=1990",
            "--hours",
            "24/7"
        )
        #expect(run.status == .done)
        guard case .createPlace(let request) = requests.first else {
            Issue.record("not asked")
            return
        }
        #expect(!request.hasSourceName && request.row.place.name == "Shop" && request.row.place.latitude == 37.5)
        #expect(request.row.categories == ["cafe", "other"] && request.row.hours == "24/7")
        #expect(request.row.names.map(\.name) == ["가게"] && request.row.facts.map(\.value) == ["1990"])
    }

    @Test func `an edit keeps missing fields, replaces by key and removes with an empty value`() async {
        let (run, requests) = await run(
            "place",
            "edit",
            Self.id,
            "--hours",
            "Mo-Sa",
            "--name",
            "ja=市場",
            "--name",
            "en=",
            "--fact",
            "opened=1904"
        )
        #expect(run.status == .done)
        guard case .editPlace(let request) = requests.last else {
            Issue.record("not asked")
            return
        }
        #expect(request.row.place.name == "광장시장" && request.row.hours == "Mo-Sa")
        #expect(request.row.names.map(\.language) == ["ja"] && request.row.facts.map(\.value) == ["1904"])
    }

    @Test func `lists, shows and removes sources`() async {
        #expect(await run("place", "source", "list").run.output.contains("markets"))
        #expect(await run("place", "source", "show", "cafes").run.output.contains("places:"))
        let removed = await run("place", "source", "remove", "markets", "--yes").run
        #expect(removed.status == .done && removed.output == "removed markets with 3 places\n")
        let unknown = await run("place", "source", "show", "shops").run
        #expect(unknown.status == .refused && unknown.errors.contains("its sources are cafes, markets"))
    }

    @Test func `categories are the built-in ones and those of a file`() async throws {
        let builtIn = await run("place", "categories")
        #expect(builtIn.run.status == .done && builtIn.run.output.contains("bookshop/used"))
        #expect(builtIn.requests.isEmpty)
        let file = try SampleFile("categories:\n- {id: sauna, en: Sauna}", name: "categories.yaml")
        let (run, _) = await run("place", "categories", "--file", file.path, "--jsonl")
        #expect(run.output.hasSuffix(#"{"en":"Sauna","icon":"other","id":"sauna","ko":"Sauna"}"# + "\n"))
        let broken = try SampleFile("categories:\n- {id: Sauna, en: Sauna}", name: "categories.yaml")
        #expect(await self.run("place", "categories", "--file", broken.path).run.status == .usage)
    }

    @Test func `shows weather by provider and fetches it for a place`() async {
        let status = await run("weather", "status").run
        #expect(status.output.contains("kma") && status.output.contains("12 of 100 requests today"))
        let (refreshed, requests) = await run("weather", "refresh", Self.id)
        #expect(refreshed.output == "weather:  beyond\n")
        guard case .refreshWeather(let request) = requests.first else {
            Issue.record("not asked")
            return
        }
        #expect(request.placeID == Self.id)
    }
}
