extension FixStore {
    /// Creates a store in memory, on a simulated device.
    ///
    /// - Parameter generator: creates the ids of the device and its boot.
    @_spi(VirtualTime) public convenience init(clocks: DeviceClocks, generator: some RandomNumberGenerator) {
        self.init(limit: FixStore.defaultLimit, time: clocks, generator: generator)
    }
}
