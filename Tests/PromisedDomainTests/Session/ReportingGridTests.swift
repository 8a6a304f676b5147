import PromisedDomain
import Testing

/// How many slots the sessions of a server share.
@Suite struct ReportingGridTests {
    @Test(
        arguments: [
            (0, 4), (1, 4), (128, 4), (129, 8), (256, 8), (257, 16), (512, 16), (513, 32), (1_000, 32), (1_024, 32),
            (1_025, 64), (1_900, 64), (1_000_000, 64),
        ]
    )
    func `dozens of sessions share a slot within the grid's limits`(sessions: Int, slots: Int64) {
        #expect(ReportingGrid.coarsest.fitting(sessions).slots == slots)
    }

    @Test(
        arguments: [
            (1_000_000, 64), (768, 64), (767, 32), (384, 32), (383, 16), (192, 16), (191, 8), (96, 8), (95, 4), (0, 4),
        ]
    )
    func `reduces the slots for fewer sessions after a delay`(sessions: Int, slots: Int64) {
        #expect(ReportingGrid.finest.fitting(sessions).slots == slots)
    }

    @Test func `a few sessions more or fewer do not change the grid`() {
        for sessions in 0...2_500 {
            for grid in [ReportingGrid.coarsest.fitting(sessions), .finest.fitting(sessions)] {
                #expect(grid.fitting(sessions) == grid)
            }
            // A finer grid remains at least until a quarter of the sessions that caused it have ended.
            let finer = ReportingGrid.coarsest.fitting(sessions)
            #expect(finer.fitting(sessions - sessions / 4) == finer)
        }
    }
}
