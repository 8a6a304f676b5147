import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct NicknameSkeletonTests {
    @Test(
        .proves("2.2"),
        arguments: [
            // Case, digits and letters that many typefaces draw alike.
            ("Paul", "pAUL"), ("Paul", "PauI"), ("Paul", "Pau1"), ("Bob", "B0B"), ("Ramona", "Rarnona"),
            // Cyrillic, Greek, Armenian, full width, mathematical.
            ("paul", "раul"), ("scope", "ѕсоре"), ("Beta", "Βeta"), ("ones", "օnes"), ("ada", "ａｄａ"), ("ada", "𝐚𝐝𝐚"),
            // The same letter in two ways.
            ("é_", "e\u{301}_"), ("straße", "STRAßE"),
        ]
    )
    func `finds similar nicknames`(one: String, other: String) {
        #expect(NicknameSkeleton.skeleton(of: one) == NicknameSkeleton.skeleton(of: other))
    }

    @Test(
        .proves("2.2"),
        arguments: [
            ("ada", "adam"), ("ada", "ąda"), ("lena", "leпa"), ("bea", "ベア"), ("user_1", "user_2"), ("a_b", "ab"),
            ("ian", "lan"),
        ]
    )
    func `distinguishes different nicknames`(one: String, other: String) {
        #expect(NicknameSkeleton.skeleton(of: one) != NicknameSkeleton.skeleton(of: other))
    }

    @Test func `the skeleton is idempotent`() {
        for name in ["PauI", "раul", "Rarnona", "straße", "ѕсоре", "𝐚𝐝𝐚", "ąda", "김철수", "محمد"] {
            let skeleton = NicknameSkeleton.skeleton(of: name)
            #expect(NicknameSkeleton.skeleton(of: skeleton) == skeleton, "\(name)")
        }
    }

    @Test(.proves("2.2"), .defends("look-alike-names"))
    func `rejects a nickname similar to another until that one is changed`() async throws {
        try await withStore { store async throws in
            #expect(try await store.signUp(1, as: "Paul") == .created)
            #expect(try await store.signUp(2, as: "PauI") == .nicknameTaken)
            #expect(try await store.signUp(2, as: "Bea") == .created)
            #expect(try await !store.rename(2, to: "раul"))
            // Paul may respell his own nickname.
            #expect(try await store.rename(1, to: "PAUL"))
            #expect(try await store.rename(1, to: "PauI"))
            #expect(try await store.rename(1, to: "Carl"))
            #expect(try await store.rename(2, to: "paul"))
            #expect(try await store.signUp(3, as: "CarI") == .nicknameTaken)
            #expect(try await store.signUp(3, as: "Paul_") == .created)
        }
    }
}

extension Store {
    fileprivate func signUp(_ number: UInt64, as nickname: String) async throws -> SignUpOutcome {
        try await accounts.createUser(
            NewAccount(
                id: .user(number),
                email: "\(number)@example.org",
                emailKey: "\(number)@example.org",
                nickname: nickname,
                nicknameKey: nickname.lowercased(),
                passwordHash: "hash",
                locale: "en",
                timeZone: "UTC",
                createdAt: .meeting
            )
        )
    }

    fileprivate func rename(_ number: UInt64, to nickname: String) async throws -> Bool {
        var changes = AccountChanges()
        changes.nickname = ChosenNickname(text: nickname, key: nickname.lowercased())
        guard case .changed = try await accounts.changeAccount(.user(number), changes) else { return false }
        return true
    }
}
