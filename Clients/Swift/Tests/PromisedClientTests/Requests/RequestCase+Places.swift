import PromisedClient
import PromisedProtocol
import SwiftProtobuf

extension RequestCase {
    private static var done: WireContent { .done(WireDone()) }
    private static var box: WireBox { .with { ($0.south, $0.west, $0.north, $0.east) = (1, 2, 3, 4) } }
    private static var filter: WirePlaceFilter { .with { $0.categories = ["cafe"] } }

    static var places: [RequestCase] {
        [
            RequestCase(#"{"listCategories":{}}"#, .categories(WireCategories())) {
                _ = try await $0.listCategories()
            },
            RequestCase(#"{"listRegions":{}}"#, .regions(WireRegions())) { _ = try await $0.listRegions() },
            RequestCase(#"{"listRegions":{"parent":"KR-11"}}"#, .regions(WireRegions())) {
                _ = try await $0.listRegions(parent: "KR-11")
            },
            RequestCase(
                #"{"viewPlaces":{"box":{"south":1,"west":2,"north":3,"east":4},"zoom":14}}"#,
                .placeView(WirePlaceView())
            ) { _ = try await $0.viewPlaces(box: box, zoom: 14) },
            RequestCase(
                #"{"viewPlaces":{"box":{"south":1,"west":2,"north":3,"east":4},"filter":{"categories":["cafe"]},"limit":9}}"#,
                .placeView(WirePlaceView())
            ) { _ = try await $0.viewPlaces(box: box, zoom: 0, filter: filter, limit: 9) },
            RequestCase(
                #"{"nearbyPlaces":{"latitude":1,"longitude":2,"radiusMetres":500,"filter":{},"cursor":"c","limit":9}}"#,
                .places(WirePlaces())
            ) {
                let all = WirePlaceFilter()
                _ = try await $0.nearbyPlaces(
                    latitude: 1,
                    longitude: 2,
                    radiusMetres: 500,
                    filter: all,
                    cursor: "c",
                    limit: 9
                )
            },
            RequestCase(#"{"searchPlaces":{"text":"t"}}"#, .places(WirePlaces())) {
                _ = try await $0.searchPlaces(text: "t")
            },
            RequestCase(
                #"{"searchPlaces":{"text":"t","near":{"latitude":1},"box":{"east":4,"south":1,"west":2,"north":3}}}"#,
                .places(WirePlaces())
            ) {
                let point = WirePoint.with { $0.latitude = 1 }
                _ = try await $0.searchPlaces(text: "t", near: point, box: box)
            },
            RequestCase(#"{"getPlace":{"placeId":"p"}}"#, .placeDetails(WirePlaceDetails())) {
                _ = try await $0.getPlace(placeID: "p")
            },
            RequestCase(#"{"getOutlook":{"placeId":"p","at":"1970-01-01T00:00:07Z"}}"#, .outlook(WireOutlook())) {
                _ = try await $0.getOutlook(placeID: "p", at: WireTimestamp(seconds: 7))
            },
            RequestCase(#"{"getOutlook":{"promiseId":"p"}}"#, .outlook(WireOutlook())) {
                _ = try await $0.getOutlook(promiseID: "p")
            },
            RequestCase(#"{"getShareText":{"placeId":"p"}}"#, .shareText(WireShareText())) {
                _ = try await $0.getShareText(placeID: "p")
            },
        ]
    }

    static var favourites: [RequestCase] {
        [
            RequestCase(#"{"addFavourite":{"key":"k","placeId":"p","label":""}}"#, .favourite(WireFavourite())) {
                _ = try await $0.addFavourite(key: "k", placeID: "p", label: "")
            },
            RequestCase(#"{"addFavourite":{"key":"k","place":{"name":"n"}}}"#, .favourite(WireFavourite())) {
                _ = try await $0.addFavourite(key: "k", place: .with { $0.name = "n" })
            },
            RequestCase(#"{"removeFavourite":{"favouriteId":"f"}}"#, done) {
                try await $0.removeFavourite(favouriteID: "f")
            },
            RequestCase(#"{"listFavourites":{"cursor":"c","limit":9}}"#, .favourites(WireFavourites())) {
                _ = try await $0.listFavourites(cursor: "c", limit: 9)
            },
        ]
    }

    static var notifications: [RequestCase] {
        [
            RequestCase(#"{"setFocus":{"screen":"HOME","active":true}}"#, done) {
                try await $0.setFocus(.home, active: true)
            },
            RequestCase(#"{"setFocus":{"screen":"MEETUP","promiseId":"p"}}"#, done) {
                try await $0.setFocus(.meetup, active: false, promiseID: "p")
            },
            RequestCase(#"{"listNotifications":{"cursor":"c","limit":9}}"#, .notifications(WireNotifications())) {
                _ = try await $0.listNotifications(cursor: "c", limit: 9)
            },
            RequestCase(#"{"readNotifications":{}}"#, done) { try await $0.readNotifications() },
            RequestCase(#"{"readNotifications":{"notificationIds":["n"]}}"#, done) {
                try await $0.readNotifications(["n"])
            },
            RequestCase(#"{"getNotificationSettings":{}}"#, .notificationSettings(WireNotificationSettings())) {
                _ = try await $0.getNotificationSettings()
            },
            RequestCase(
                #"{"updateNotificationSettings":{"off":["NUDGED"],"quietFrom":""}}"#,
                .notificationSettings(WireNotificationSettings())
            ) { _ = try await $0.updateNotificationSettings(off: [.nudged], quietFrom: "") },
        ]
    }
}
