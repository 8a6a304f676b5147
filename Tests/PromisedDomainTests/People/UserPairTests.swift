import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct UserPairTests {
    @Test func `a pair is the same in either order`() {
        let pair = UserPair(.user(2), .user(1))
        #expect(pair == UserPair(.user(1), .user(2)))
        #expect(pair.first == .user(1) && pair.second == .user(2))
        #expect(pair != UserPair(.user(1), .user(3)))
    }

    @Test func `rejects a pair of one user`() async {
        await #expect(processExitsWith: .failure) { _ = UserPair(.user(1), .user(1)) }
    }
}
