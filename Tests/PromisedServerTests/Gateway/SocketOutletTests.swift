import PromisedEngine
import PromisedGateway
import PromisedTransport
import Testing

@Suite struct SocketOutletTests {
    @Test func `a connection has one name in the gateway and in the transport`() {
        for id in [
            ConnectionID(thread: 0, slot: 0, generation: 0), ConnectionID(thread: 255, slot: 70_000, generation: .max),
        ] {
            #expect(SubscriberID(rawValue: id.rawValue).name == id.description)
        }
    }
}
