import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import Testing

@testable import PromisedGateway

@Suite struct StoredPositionTests {
    private static let promise = PromiseID(high: 1, low: 1)

    private func number(
        _ device: String,
        _ boot: String = "",
        of user: UInt64 = 1,
        in id: PromiseID = promise
    ) -> UInt32 {
        let fix = SettledFix.sample(seq: 1, at: .meeting, metres: 1)
        let kept = ArchivedFix(userID: .user(user), device: DeviceKey(deviceID: device, bootID: boot), fix: fix)
        return WireAdminPosition(kept, in: id).device
    }

    @Test func `numbers each device and boot of a user in a promise separately`() {
        let names = [
            ("phone", "1"), ("phone", "2"), ("phone", ""), ("watch", "1"), ("", "phone"), ("phone 1", ""), ("", ""),
        ]
        var numbers = names.map { number($0, $1) }
        numbers += [number("phone", "1", of: 2), number("phone", "1", in: PromiseID(high: 1, low: 2))]
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `the number of a device is the same after a restart`() {
        #expect(number("phone", "1") == 252_837_349)
    }
}
