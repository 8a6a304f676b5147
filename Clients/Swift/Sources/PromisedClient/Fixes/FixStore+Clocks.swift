extension FixStore {
    /// A store in memory, on a device of a simulation.
    ///
    /// - Parameter generator: makes the names of the device and its boot.
    @_spi(VirtualTime) public convenience init(clocks: DeviceClocks, generator: some RandomNumberGenerator) {
        self.init(limit: FixStore.defaultLimit, time: clocks, generator: generator)
    }
}
