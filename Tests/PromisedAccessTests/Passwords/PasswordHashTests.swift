import Testing

@testable import PromisedAccess
@testable import PromisedSettings

@Suite struct PasswordHashTests {
    private static let salt = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    @Test func `reads the text form`() throws {
        let cost = ScryptCost(log2N: 15, blockSize: 8, parallelism: 3)
        let hash = PasswordHash(cost: cost, salt: Array(1...16), key: Array(100..<132))
        let expected = "$scrypt$ln=15,r=8,p=3$AQIDBAUGBwgJCgsMDQ4PEA$ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM"
        #expect(hash.text == expected)
        #expect(PasswordHash(expected) == hash)
    }

    @Test(arguments: [
        "", "secret", "$2b$12$abc", "$scrypt$ln=17,r=8,p=1$\(salt)", "$scrypt$ln=17,r=8,p=1$\(salt)$",
        "scrypt$ln=17,r=8,p=1$\(salt)$\(key)", "$scrypt$ln=17,r=8$\(salt)$\(key)",
        "$scrypt$ln=17,p=1,r=8$\(salt)$\(key)", "$scrypt$ln=17,r=8,p=1,x=1$\(salt)$\(key)",
        "$scrypt$ln=3,r=8,p=1$\(salt)$\(key)", "$scrypt$ln=21,r=8,p=1$\(salt)$\(key)",
        "$scrypt$ln=-4,r=8,p=1$\(salt)$\(key)", "$scrypt$ln=99999999999999999999,r=8,p=1$\(salt)$\(key)",
        "$scrypt$ln=17,r=0,p=1$\(salt)$\(key)", "$scrypt$ln=20,r=9,p=1$\(salt)$\(key)",
        "$scrypt$ln=17,r=8,p=17$\(salt)$\(key)", "$scrypt$ln=17,r=8,p=1$AAAA$\(key)",
        "$scrypt$ln=17,r=8,p=1$\(salt)=$\(key)", "$scrypt$ln=17,r=8,p=1$\(salt)$AAAA",
        "$scrypt$ln=17,r=8,p=1$\(salt)$\(key)$x", "$scrypt$ln=17,r=8,p=1$\(salt)$*\(key)",
    ])
    func `rejects all others`(text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test func `only the same bytes match`() {
        let hash = PasswordHash(cost: .cheap, salt: [], key: [1, 2, 3])
        #expect(hash.matches([1, 2, 3]))
        #expect(!hash.matches([1, 2, 4]))
        #expect(!hash.matches([0, 2, 3]))
        #expect(!hash.matches([1, 2]))
        #expect(!hash.matches([]))
    }
}
