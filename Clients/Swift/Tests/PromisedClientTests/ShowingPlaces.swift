import PromisedClient
import PromisedProtocol

/// The code of the article "Showing places", word for word; a test compares the two.
struct ShowingPlaces: Sendable {
    /// The steps of the article's app, for the test.
    let effects = Mailbox<String>()

    func draw(_ view: WirePlaceView) { effects.put("\(view.total) places") }
    func showProblem(_ message: String) { effects.put(message) }
    func banner(_ notification: WireNotification) { effects.put(notification.notificationID) }

    func runMap(_ viewport: PlaceViewport) async {
        await withTaskGroup { group in
            group.addTask { await viewport.run() }
            group.addTask {
                for await answer in viewport.answers {
                    switch answer {
                    case .view(let view, _): draw(view)
                    case .failure(let error, _): showProblem("\(error)")
                    }
                }
            }
        }
    }

    func moved(to box: WireBox, zoom: UInt32, viewport: PlaceViewport) async {
        var request = WireViewPlaces()
        request.box = box
        request.zoom = zoom
        request.filter.categories = ["bookshop"]
        await viewport.show(request)
    }

    func meet(
        at placeID: String,
        request: WireCreatePromise,
        with client: PromisedClient
    ) async throws(ClientError) -> Bool {
        var request = request
        request.place.placeID = placeID
        let reply = try await client.createPromise(request)
        return reply.outlook.opening != .closed
    }

    func runNotifications(of client: PromisedClient) async {
        for await notification in client.notifications {
            banner(notification)
        }
    }
}
