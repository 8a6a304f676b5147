public import Logging

extension PromisedClient {
    /// A client on a device of a simulation, which is not connected yet.
    ///
    /// - Parameter generator: spreads the attempts to connect.
    @_spi(VirtualTime) public init(
        settings: ClientSettings,
        transport: any ClientTransport,
        clocks: DeviceClocks,
        generator: any RandomNumberGenerator & Sendable,
        log: Logger
    ) {
        self.init(settings: settings, transport: transport, generator: generator, time: clocks, log: log)
    }
}

extension FixStore {
    /// A store in memory, on a device of a simulation.
    ///
    /// - Parameter generator: makes the names of the device and its boot.
    @_spi(VirtualTime) public convenience init(clocks: DeviceClocks, generator: some RandomNumberGenerator) {
        self.init(limit: FixStore.defaultLimit, time: clocks, generator: generator)
    }
}

extension CourseRecorder {
    /// A recorder in memory, on a device of a simulation.
    ///
    /// - Parameter key: the key of each of its recordings.
    @_spi(VirtualTime) public init(client: PromisedClient, key: String) {
        let store = RecordingStore(limit: CourseRecorder.defaultLimit, time: client.time)
        self.init(client: client, store: store, newKey: { key })
    }
}
