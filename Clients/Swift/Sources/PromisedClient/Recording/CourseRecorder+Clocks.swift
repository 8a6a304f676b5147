extension CourseRecorder {
    /// Creates a recorder in memory, on a simulated device.
    ///
    /// - Parameter key: the key of each of its recordings.
    @_spi(VirtualTime) public init(client: PromisedClient, key: String) {
        let store = RecordingStore(limit: CourseRecorder.defaultLimit, time: client.time)
        self.init(client: client, store: store, newKey: { key })
    }
}
