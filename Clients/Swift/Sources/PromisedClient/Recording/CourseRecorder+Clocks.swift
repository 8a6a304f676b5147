extension CourseRecorder {
    /// A recorder in memory, on a device of a simulation.
    ///
    /// - Parameter key: the key of each of its recordings.
    @_spi(VirtualTime) public init(client: PromisedClient, key: String) {
        let store = RecordingStore(limit: CourseRecorder.defaultLimit, time: client.time)
        self.init(client: client, store: store, newKey: { key })
    }
}
