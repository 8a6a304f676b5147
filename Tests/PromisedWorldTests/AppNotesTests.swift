import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import Testing

@testable import PromisedWorld

@Suite struct AppNotesTests {
    private static func reported(taken: [UInt32], rejected: [UInt32] = []) -> ReporterNotice {
        var reported = WireReported()
        reported.taken = taken
        reported.rejected = rejected.map { seq in
            var fix = WireRejectedFix()
            fix.seq = seq
            return fix
        }
        return .reported(reported)
    }

    @Test(.proves("18.24")) func `a position is pending until it is accepted, rejected or abandoned`() {
        var notes = AppNotes()
        // The reply may be processed before the app has recorded the number.
        notes.hear(Self.reported(taken: [1]))
        for seq in UInt32(1)...5 { notes.take(fix: seq) }
        #expect(notes.waitingFixes == 4)
        notes.hear(Self.reported(taken: [1, 2], rejected: [3]))
        #expect(notes.waitingFixes == 2)
        notes.hear(ReporterNotice.refused(WireErrorReply(.positionOutsideWindow), givenUp: 1))
        notes.hear(.wanted(true))
        notes.hear(ReporterNotice.overflowed(1))
        #expect(notes.waitingFixes == 0)
    }

    @Test func `a recording becomes a course unless it is permanently rejected`() {
        var notes = AppNotes()
        notes.hear(RecorderNotice.refused(WireErrorReply(.serverUnavailable), givenUp: 0))
        #expect(!notes.isRecordingOver && notes.courseID == nil)
        var course = WireCourse()
        course.courseID = "c"
        notes.hear(.finished(course))
        #expect(notes.courseID == "c")
        notes.hear(RecorderNotice.refused(WireErrorReply(.recordingClosed), givenUp: 0))
        #expect(notes.isRecordingOver)
    }

    @Test(.proves("18.26")) func `finds an upload that does not end or fails despite free space`() throws {
        var notes = AppNotes()
        #expect(throws: Violation.self) { try notes.requireEnded(1) }
        notes.end(upload: 1, .success("f"))
        notes.end(upload: 2, .failure(.refused(WireErrorReply(.fileQuota))))
        for number in [1, 2] { try notes.requireEnded(number) }
        for error in [ClientError.disconnected, .refused(WireErrorReply(.fileMismatch))] {
            notes.end(upload: 3, .failure(error))
            #expect(throws: Violation.self) { try notes.requireEnded(3) }
        }
    }

    @Test(.proves("18.25")) func `knows the points rejected by the server`() {
        var notes = AppNotes()
        for seq in UInt32(1)...3 { notes.take(point: seq) }
        var (recorded, rejected) = (WireRecorded(), WireRejectedPoint())
        rejected.seq = 3
        (recorded.taken, recorded.rejected) = ([1, 2], [rejected])
        notes.hear(.recorded(recorded))
        #expect(notes.points == [1, 2, 3] && notes.rejectedPoints == [3])
    }
}
