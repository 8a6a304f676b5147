public import Logging

extension PromisedClient {
    /// Creates a client on a simulated device, not connected yet.
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
