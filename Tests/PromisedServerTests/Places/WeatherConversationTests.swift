import PromisedClient
import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import SwiftProtobuf
import Testing

@testable import PromisedSettings

@Suite("Weather over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct WeatherConversationTests {
    @Test(.proves("outlookReady"), arguments: WireCodec.allCases)
    func `sends a pending outlook once on each connection of the requesting user`(codec: WireCodec) async throws {
        let sky = try RecordedSky()
        // Its folder is removed with it.
        defer { withExtendedLifetime(sky) {} }
        try await ServerWorld.with(codec: codec, configure: sky.configure) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await ada.befriend(bea)
                try await world.devices { connect in
                    let (tablet, other) = (try await connect(), try await connect())
                    try await ada.signIn(on: tablet)
                    try await bea.signIn(on: other)
                    let id = try await ada.pendingPromise(with: [bea], in: world)
                    let event = try await tablet.event { $0.isOutlookReady(of: id) }
                    #expect(event.outlookReady.placeID.isEmpty)
                    #expect(event.promiseID.isEmpty && event.seq == 0)
                    let outlook = event.outlookReady.outlook
                    #expect(outlook.weatherState == .ready && outlook.weather.source == "recorded")
                    #expect(!outlook.weather.hours.isEmpty)
                    // The record was stored before the notification.
                    #expect(try await ada.client.getOutlook(promiseID: id) == outlook)
                    await ada.wait { !$0.outlooksReady(of: id).isEmpty }
                    // Bea, who is invited, has not requested it: the reply to her next request is her first frame about
                    // the weather.
                    #expect(try await other.outlook(of: id) == outlook)
                    #expect(try await tablet.outlook(of: id) == outlook)
                    #expect(other.events.outlooksReady(of: id).isEmpty)
                    #expect(tablet.events.outlooksReady(of: id).count == 1)
                    #expect(ada.received.outlooksReady(of: id) == [outlook])
                }
            }
        }
    }

    @Test(.proves("outlookReady"))
    func `an outlook is pending after two seconds and follows after the provider's failure`()
        async throws
    {
        // A provider that accepts connections and sends nothing.
        let silent = try #require(LoopbackSocket.listening())
        let outside: @Sendable (inout ServerSettings) -> Void = { settings in
            settings.clock.start = nil
            settings.weather.providers = [.openMeteo]
            let address = WeatherAddress("open-meteo=https://127.0.0.1:\(silent.port)")
            settings.weather.addresses = [address].compactMap(\.self)
        }
        try await ServerWorld.with(configure: outside) { world in
            try await world.with("Ada", "Bea") { ada, bea in
                try await world.administered { admin, connect in
                    try await admin.importPlaces([.cafe("Blue door", hours: "24/7")])
                    let place = try #require(try await ada.places(in: world)["Blue door"])
                    let (tablet, other) = (try await connect(), try await connect())
                    try await ada.signIn(on: tablet)
                    try await bea.signIn(on: other)
                    let pending = try await ada.client.getOutlook(placeID: place.placeID)
                    #expect(pending.weatherState == .pending && pending.opening == .open && !pending.hasWeather)
                    LoopbackSocket.reset(silent.descriptor)
                    let event = try await tablet.event { $0.isOutlookReady(of: "") }
                    #expect(event.outlookReady.placeID == place.placeID && event.outlookReady.promiseID.isEmpty)
                    #expect(event.outlookReady.outlook.weatherState == .unavailable)
                    #expect(event.outlookReady.outlook.opening == .open)
                    guard case .me = try await other.call(.getMe(.init())) else { throw Device.NoReply() }
                    #expect(other.events.outlooksReady(of: "").isEmpty)
                }
            }
        }
    }

    @Test(.proves("weatherChanged"), arguments: WireCodec.allCases)
    func `notifies only subscribers of the promise of a change, once each`(codec: WireCodec) async throws {
        let sky = try RecordedSky()
        try await ServerWorld.with(codec: codec, configure: sky.configure) { world in
            try await world.with("Ada", "Bea", "Cy") { ada, bea, cy in
                try await world.administered { admin, connect in
                    try await admin.importPlaces([.cafe("Blue door")])
                    let place = try #require(try await ada.places(in: world)["Blue door"]).placeID
                    let id = try await ada.promise(with: [bea, cy], at: world.now + .hours(2)).promiseID
                    let left = try await connect()
                    try await cy.signIn(on: left)
                    for person in [ada, bea, cy] { _ = try await person.client.subscribe(promiseID: id) }
                    guard case .subscribed = try await left.call(.subscribe(.with { $0.promiseID = id })) else {
                        throw Device.NoReply()
                    }
                    _ = try await cy.client.unsubscribe(promiseID: id)
                    guard case .done = try await left.call(.unsubscribe(.of(id))) else { throw Device.NoReply() }
                    while try await ada.client.getOutlook(promiseID: id).weatherState != .ready { await Task.yield() }

                    try sky.show(code: 61, temperature: 10)
                    try await admin.refreshWeather(of: place)
                    for person in [ada, bea] { await person.hears { $0.isWeatherChanged } }
                    let first = try #require(ada.received.changes(of: id).first)
                    #expect(first.weatherState == .ready && first.weather.hours.contains { $0.advice == ["slippery"] })
                    // The record was stored before the notification.
                    #expect(try await bea.client.getOutlook(promiseID: id) == first)

                    // An equal forecast is not a change; a colder one is.
                    try await admin.refreshWeather(of: place)
                    _ = try await cy.client.subscribe(promiseID: id)
                    try sky.show(code: 61, temperature: 6.9)
                    try await admin.refreshWeather(of: place)
                    await cy.hears { $0.isWeatherChanged }
                    for person in [ada, bea] { await person.wait { $0.changes(of: id).count > 1 } }
                    let changes = ada.received.changes(of: id)
                    #expect(changes.count == 2 && bea.received.changes(of: id) == changes)
                    #expect(changes[1].weather.hours.allSatisfy { $0.temperatureCelsius == 6.9 })
                    #expect(cy.received.changes(of: id) == [changes[1]])
                    guard case .me = try await left.call(.getMe(.init())) else { throw Device.NoReply() }
                    #expect(left.events.changes(of: id).isEmpty)
                }
            }
        }
    }
}

extension Person {
    /// A promise in some hours with a pending fetch of its weather at the time of the reply.
    ///
    /// If a fetch ends before the reply, another cell is tried.
    fileprivate func pendingPromise(with others: [Person], in world: ServerWorld) async throws -> String {
        for number in 0..<40 {
            // At most ten at a time.
            let meetsAt = world.now + .hours(2 + 4 * Int64(number / 10))
            var request = WireCreatePromise.sample(meetsAt: meetsAt, invitees: others)
            request.place.latitude = 30.05 + Double(number) / 10
            let reply = try await client.createPromise(request)
            if reply.outlook.weatherState == .pending { return reply.promise.promiseID }
            #expect(reply.outlook.weatherState == .ready)
        }
        throw Device.NoReply()
    }
}

extension Device {
    fileprivate func outlook(of promiseID: String) async throws -> WireOutlook {
        guard case .outlook(let outlook) = try await call(.getOutlook(.with { $0.promiseID = promiseID })) else {
            throw NoReply()
        }
        return outlook
    }

    /// Causes a fetch of a place's weather, once no fetch is in progress that this would join.
    fileprivate func refreshWeather(of placeID: String) async throws {
        while try await weatherStatus().fetches > 0 { await Task.yield() }
        guard case .outlook = try await admin(.refreshWeather(.with { $0.placeID = placeID })) else { throw NoReply() }
    }
}

extension Device {
    private func weatherStatus() async throws -> WireAdminWeatherStatus {
        guard case .weatherStatus(let status) = try await admin(.getWeatherStatus(.init())) else { throw NoReply() }
        return status
    }
}

extension WireEvent.OneOf_What {
    fileprivate func isOutlookReady(of promiseID: String) -> Bool {
        if case .outlookReady(let ready) = self { ready.promiseID == promiseID } else { false }
    }

    fileprivate var isWeatherChanged: Bool { if case .weatherChanged = self { true } else { false } }
}

extension [WireEvent] {
    /// The outlooks of a promise that followed, in order; without an id those of places.
    fileprivate func outlooksReady(of promiseID: String) -> [WireOutlook] {
        compactMap { event in
            guard case .outlookReady(let ready) = event.what, ready.promiseID == promiseID else { return nil }
            return ready.outlook
        }
    }

    /// The changes of a promise's weather, in order.
    fileprivate func changes(of promiseID: String) -> [WireOutlook] {
        compactMap { event in
            guard event.promiseID == promiseID, case .weatherChanged(let changed) = event.what else { return nil }
            return changed.outlook
        }
    }
}
