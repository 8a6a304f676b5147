import PromisedConcurrency
import PromisedDomain
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import PromisedWorld
import Testing

@Suite struct SimulatedStoreTests {
    @Test func `a store in memory has the current schema and verifies`() async throws {
        let simulated = try SimulatedStore()
        _ = try await simulated.store.accounts.createUser(.sample(1))
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["1"]])
        #expect(try await simulated.store.upkeep.verify() == [])
        try simulated.close()
    }

    @Test func `a store continues from the committed state, and its copies are independent`() async throws {
        let simulated = try SimulatedStore()
        _ = try await simulated.store.accounts.createUser(.sample(1))
        let image = try simulated.close()
        await #expect(throws: StoreError.self) { try await simulated.store.accounts.createUser(.sample(2)) }
        let copy = try image.copy()
        for content in [image, copy] {
            let next = try SimulatedStore(content)
            #expect(try await next.store.accounts.account(.user(1)) != nil)
            #expect(try await next.store.accounts.account(.user(2)) == nil)
            _ = try await next.store.accounts.createUser(.sample(3))
        }
    }

    @Test func `faults of a finished disk do not affect the next store`() async throws {
        let disk = SimulatedDisk()
        let image = try SimulatedStore(disk: disk).close()
        disk.fail(.broken, count: 1)
        let next = try SimulatedStore(image)
        _ = try await next.store.accounts.createUser(.sample(1))
        #expect(disk.failures == 0 && disk.takeChangedTables().isEmpty)
    }

    @Test(arguments: DiskFault.allCases)
    func `chosen transactions fail and leave no trace`(fault: DiskFault) async throws {
        let disk = SimulatedDisk()
        let simulated = try SimulatedStore(disk: disk)
        disk.fail(fault, count: 2)
        for number in UInt64(1)...2 {
            await #expect(throws: StoreError.self) { try await simulated.store.accounts.createUser(.sample(number)) }
        }
        _ = try await simulated.store.accounts.createUser(.sample(3))
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["1"]])
        disk.fail(fault, count: 9)
        disk.mend()
        _ = try await simulated.store.accounts.createUser(.sample(4))
        #expect(try await simulated.store.upkeep.verify() == [])
    }

    @Test(.proves("18.22"), arguments: 1...12)
    func `a chosen statement fails with its whole transaction`(number: Int) async throws {
        let disk = SimulatedDisk()
        let simulated = try SimulatedStore(disk: disk)
        disk.fail(atStatement: number)
        _ = try? await simulated.store.accounts.createUser(.sample(1))
        let rows = try simulated.rows("SELECT (SELECT count(*) FROM user), (SELECT count(*) FROM credential)")
        #expect(rows == [["0", "0"]] || rows == [["1", "1"]])
        disk.mend()
        _ = try await simulated.store.accounts.createUser(.sample(2))
        #expect(try await simulated.store.accounts.account(.user(2)) != nil)
        #expect(try await simulated.store.upkeep.verify() == [])
    }

    @Test func `a write fails if one of its statements does`() async throws {
        let disk = SimulatedDisk()
        let simulated = try SimulatedStore(disk: disk)
        var made = 0
        for number in 1...8 {
            disk.fail(atStatement: number)
            if (try? await simulated.store.accounts.createUser(.sample(UInt64(number)))) != nil { made += 1 }
            disk.mend()
        }
        #expect(made < 8 && disk.failures > 0)
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["\(made)"]])
    }

    @Test func `a full database rejects writes and continues once it can grow`() async throws {
        let disk = SimulatedDisk()
        let simulated = try SimulatedStore(disk: disk)
        disk.choke(true)
        var made: UInt64 = 0
        do {
            while made < 500 {
                _ = try await simulated.store.accounts.createUser(.sample(made + 1))
                made += 1
            }
        } catch {
            #expect(error.isDiskFull)
        }
        #expect(made < 500)
        disk.choke(false)
        _ = try await simulated.store.accounts.createUser(.sample(made + 1))
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["\(made + 1)"]])
        #expect(try await simulated.store.upkeep.verify() == [])
    }

    @Test func `the disk reports the tables changed by committed transactions`() async throws {
        let disk = SimulatedDisk()
        let simulated = try SimulatedStore(disk: disk)
        _ = disk.takeChangedTables()
        disk.fail(.broken, count: 1)
        await #expect(throws: StoreError.self) { try await simulated.store.accounts.createUser(.sample(1)) }
        #expect(disk.takeChangedTables() == [])
        _ = try await simulated.store.accounts.createUser(.sample(1))
        #expect(disk.takeChangedTables().isSuperset(of: ["user", "credential"]))
        _ = try await simulated.store.accounts.account(.user(1))
        #expect(disk.takeChangedTables() == [])
    }

    @Test func `work waits until the world releases the disk`() async throws {
        let waiting = Guarded<[@Sendable () -> Void]>([])
        let isHeld = Guarded(false)
        let disk = SimulatedDisk { _, work in
            if isHeld.withLock({ $0 }) { waiting.withLock { $0.append(work) } } else { work() }
        }
        let simulated = try SimulatedStore(disk: disk)
        isHeld.withLock { $0 = true }
        async let outcome = simulated.store.accounts.createUser(.sample(1))
        while waiting.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["0"]])
        for work in waiting.withLock({ $0 }) { work() }
        _ = try await outcome
        #expect(try simulated.rows("SELECT count(*) FROM user") == [["1"]])
    }

    @Test func `a closed store fails for every caller`() async throws {
        let simulated = try SimulatedStore()
        try simulated.close()
        await #expect(throws: StoreError.self) { try await simulated.store.accounts.createUser(.sample(1)) }
        await #expect(throws: StoreError.self) { try await simulated.store.accounts.account(.user(1)) }
    }
}

extension NewAccount {
    /// The account of the user with that number.
    fileprivate static func sample(_ number: UInt64) -> NewAccount {
        NewAccount(
            id: .user(number),
            email: "user\(number)@example.org",
            emailKey: "user\(number)@example.org",
            nickname: "user_\(number)",
            nicknameKey: "user_\(number)",
            passwordHash: "hash",
            locale: "ko-KR",
            timeZone: "Asia/Seoul",
            createdAt: .meeting - .days(1)
        )
    }
}
