import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport

/// The background users, with one connection each.
struct BackgroundWork: Sendable {
    let plan: BackgroundPlan
    private let seats: [LoadSeat]
    private let photo: LoadPhoto
    private let address: ServerAddress
    private let codec: WireCodec
    private let transport: WebSocketTransport
    private let log: Logger

    /// The users after those of an order in its token file. Throws ``SeatPlan/Failure`` if there are too few,
    /// ``LoadFailure`` if the URL is invalid.
    init(_ plan: BackgroundPlan, after order: WorkOrder, log: Logger) throws {
        guard let address = ServerAddress(order.server), let tokensFile = order.tokensFile else {
            throw LoadFailure("\(order.server) is not the URL of a server")
        }
        self.plan = plan
        self.address = address
        self.log = log
        seats = try SeatPlan.spares(tokensFile: tokensFile, after: order.connections, count: plan.accounts)
        photo = LoadPhoto(count: plan.photoBytes)
        codec = order.plan.wireCodec
        transport = WebSocketTransport(authoritiesFile: order.authority, patience: .seconds(30), log: log)
    }

    /// Uploads the photos of the export. Throws ``LoadFailure``.
    func prepare() async throws {
        guard plan.hasExport, let seat = seats.last else { return }
        StatusOutput.tell("uploading \(plan.exportPhotos) photos for the export")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for count in ExportingUser.shares(of: plan.exportPhotos) {
                group.addTask { try await upload(count, of: seat) }
            }
            try await group.waitForAll()
        }
    }

    /// Works from now to the end of the measured time, and deletes the created data, except the photos of the export
    /// and its archive.
    func run(in measured: Range<LoadTime>) async -> BackgroundTally {
        let record = BackgroundRecord(measured: measured)
        let end = measured.upperBound
        await withTaskGroup(of: Void.self) { group in
            for (index, seat) in seats.enumerated() {
                group.addTask {
                    await with(seat) { client in
                        if index < plan.uploads {
                            var user = UploadingUser(client, place: seat.place, photo: photo, record: record)
                            await user.work(until: end)
                        } else if index < plan.uploads + plan.recordings {
                            await RecordingUser(client, place: seat.place, record: record).work(until: end)
                        } else {
                            await ExportingUser(client, record: record).work(in: measured)
                        }
                    }
                }
            }
        }
        return record.counts
    }

    func end() async { await transport.shutDown() }

    // MARK: - Internals

    private func upload(_ count: Int, of seat: LoadSeat) async throws {
        let start = LoadTime.now
        let failure: ClientError? = await with(seat) { client in
            let record = BackgroundRecord(measured: start..<start)
            var user = UploadingUser(client, place: seat.place, photo: photo, record: record)
            do throws(ClientError) {
                for _ in 0..<count { try await user.add() }
                try await user.makeVisit()
                return nil
            } catch {
                return error
            }
        }
        guard let failure else { return }
        throw LoadFailure("cannot upload the photos of the export (\(failure)); it needs a newly seeded server")
    }

    /// Runs `body` with a client that signs in with a user's access token, also after a lost connection.
    private func with<Value: Sendable>(
        _ seat: LoadSeat,
        _ body: (PromisedClient) async -> Value
    ) async -> Value {
        // Without a device id, because two connections of one device would replace each other.
        let settings = ClientSettings(address: address, codec: codec, name: "promise-load", platform: "linux")
        let client = PromisedClient(settings: settings, transport: SharedTransport(transport), log: log)
        var session = WireSession()
        session.accessToken = seat.token
        await client.restore(session)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            let value = await body(client)
            await client.close()
            return value
        }
    }
}

/// The transport shared by all clients; it does not end with one of them.
private struct SharedTransport: ClientTransport {
    private let transport: WebSocketTransport

    init(_ transport: WebSocketTransport) { self.transport = transport }

    func connect(_ request: LinkRequest) async throws -> WebSocketLink { try await transport.connect(request) }
    func shutDown() async {}
}
