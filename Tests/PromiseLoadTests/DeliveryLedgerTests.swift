import Testing

@testable import promise_load

@Suite struct DeliveryLedgerTests {
    private let due = LoadTime(microseconds: 7)

    @Test func `counts a delivery once, with the due time of its report`() {
        var ledger = DeliveryLedger(seats: 2)
        ledger.report(seat: 1, seq: 1, due: due, to: 0b101, counts: true)
        #expect(ledger.open == 2)
        #expect(ledger.delivered(seat: 1, seq: 1, to: 2) == due)
        #expect(ledger.delivered(seat: 1, seq: 1, to: 2) == nil)
        #expect(ledger.delivered(seat: 1, seq: 1, to: 1) == nil, "not one it was for")
        #expect(ledger.delivered(seat: 1, seq: 2, to: 0) == nil, "not sent yet")
        #expect(ledger.delivered(seat: 0, seq: 1, to: 0) == nil, "somebody else's")
        #expect(ledger.counts == DeliveryLedger.Counts(due: 2, delivered: 1, missing: 0, excused: 0))
        ledger.close()
        #expect(ledger.counts == DeliveryLedger.Counts(due: 2, delivered: 1, missing: 1, excused: 0))
        #expect(ledger.open == 0)
    }

    @Test func `ignores deliveries outside the measured time`() {
        var ledger = DeliveryLedger(seats: 1)
        ledger.report(seat: 0, seq: 1, due: due, to: 0b10, counts: false)
        #expect(ledger.delivered(seat: 0, seq: 1, to: 1) == nil)
        ledger.report(seat: 0, seq: 2, due: due, to: 0b10, counts: false)
        ledger.close()
        #expect(ledger.counts == DeliveryLedger.Counts())
    }

    @Test func `counts a superseded report as missing`() {
        var ledger = DeliveryLedger(seats: 1)
        for seq in 1...UInt32(DeliveryLedger.depth) {
            ledger.report(seat: 0, seq: seq, due: due, to: 0b110, counts: true)
        }
        #expect(ledger.counts.missing == 0)
        ledger.report(seat: 0, seq: UInt32(DeliveryLedger.depth) + 1, due: due, to: 0b110, counts: true)
        #expect(ledger.counts.missing == 2)
        #expect(ledger.delivered(seat: 0, seq: 1, to: 1) == nil)
    }

    @Test func `expects no delivery from a disconnected sender`() {
        var ledger = DeliveryLedger(seats: 2)
        ledger.report(seat: 0, seq: 1, due: due, to: 0b110, counts: true)
        ledger.report(seat: 1, seq: 1, due: due, to: 0b001, counts: true)
        _ = ledger.delivered(seat: 0, seq: 1, to: 1)
        ledger.excuse(reportsOf: 0)
        ledger.close()
        #expect(ledger.counts == DeliveryLedger.Counts(due: 2, delivered: 1, missing: 1, excused: 1))
    }

    @Test func `expects no delivery to a disconnected receiver`() {
        var ledger = DeliveryLedger(seats: 1)
        ledger.report(seat: 0, seq: 1, due: due, to: 0b110, counts: true)
        ledger.report(seat: 0, seq: 2, due: due, to: 0b110, counts: false)
        ledger.excuse(member: 2, from: 0)
        #expect(ledger.open == 1)
        #expect(ledger.delivered(seat: 0, seq: 1, to: 2) == nil)
        #expect(ledger.delivered(seat: 0, seq: 1, to: 1) == due)
        ledger.close()
        #expect(ledger.counts == DeliveryLedger.Counts(due: 1, delivered: 1, missing: 0, excused: 1))
    }

    @Test func `the last of 64 members has a bit`() {
        var ledger = DeliveryLedger(seats: 1)
        ledger.report(seat: 0, seq: 1, due: due, to: .max, counts: true)
        #expect(ledger.delivered(seat: 0, seq: 1, to: 63) == due)
        #expect(ledger.counts.due == 64)
    }
}
