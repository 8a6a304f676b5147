import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct ShareTextsTests {
    @Test(.proves("getShareText"))
    func `shares a place with contacts, today's hours and the operator's maps in the caller's language`()
        async throws
    {
        let row = ImportedPlace.sample("광장시장", hours: "Mo-Sa 09:00-18:00", phone: "02-123")
        try await PromiseWorld.run([row]) { world in
            let id = try await world.places.id("광장시장")
            let korean = try await world.texts.text(of: id, for: .user(1))
            #expect(
                korean.text == """
                    광장시장
                    서울특별시 종로구 창경궁로 88
                    전화: 02-123
                    오늘 영업: 09:00–18:00
                    지도: https://map.example/37.57,126.9997
                    """
            )
            let english = try await world.texts.text(of: id, for: .user(2))
            #expect(english.text.contains("Open today: 09:00–18:00") && english.text.contains("Phone: 02-123"))
            #expect(english.links == [MapLink(name: "Map", url: "https://map.example/37.57,126.9997")])
        }
    }

    @Test func `rejects sharing an unknown or removed place`() async throws {
        try await PromiseWorld.run([.sample("광장시장")]) { world in
            let id = try await world.places.id("광장시장")
            try await world.places.administration.remove(id, audit: nil)
            for gone in [id, PlaceID(high: 1, low: 1)] {
                await #expect(throws: ApplicationError.refused(.placeNotFound, field: "placeId")) {
                    try await world.texts.text(of: gone, for: .user(1))
                }
            }
        }
    }

    @Test(.proves("11.15", "getShareText"))
    func `shares only title, place and local time of a promise`() async throws {
        try await PromiseWorld.run([.sample("광장시장", phone: "02-123")]) { world in
            let place = Place(name: "", coordinate: .seoul, placeID: try await world.places.id("광장시장"))
            let promise = try await world.create(at: place, note: "비밀번호 1234")
            let text = try await world.texts.text(of: promise.id, for: .user(1)).text
            #expect(
                text == """
                    점심
                    광장시장
                    서울특별시 종로구 창경궁로 88
                    전화: 02-123
                    만나는 시간: 2026년 11월 24일 (화) 12:00 (UTC+9)
                    지도: https://map.example/37.57,126.9997
                    """
            )
            #expect(!text.contains("1234") && !text.contains("User_") && !text.contains("\(promise.id)"))
        }
    }

    @Test(.proves("getShareText")) func `does not find other users' promises`() async throws {
        try await PromiseWorld.run { world in
            let promise = try await world.create(at: Place(name: "A", coordinate: .seoul))
            await #expect(throws: Refusal.promiseNotFound) { try await world.texts.text(of: promise.id, for: .user(3)) }
            // Without a place of the directory the time is local to the reader.
            #expect(try await world.texts.text(of: promise.id, for: .user(1)).text.contains("12:00 (UTC+9)"))
        }
    }
}
