internal import PromisedDomain
internal import PromisedEngine

/// Merges the answers of several promises to the same report: a fix is accepted if any promise accepts it; the earliest
/// next report wins.
///
/// Most answers equal the previous one, and are skipped.
struct ReportAnswers: Sendable {
    private var merged: ReportReceipt?
    private var latest = ReportReceipt()
    private var taken: Set<UInt32> = []
    private var rejected: Set<UInt32> = []
    private var isMixed = false
    private var refusal: EngineError?
    private var wait: TimeSpan?
    private var isUnavailable = false

    /// Adds the answer of one more promise.
    mutating func take(_ answer: Result<SessionReply, EngineError>) {
        do throws(EngineError) {
            merge(try ReportReceipt(try answer.get()))
        } catch .refused(.positionOutsideWindow), .retired {
            // The promise has not opened yet, or is over: skip it.
        } catch .refused(.tooManyFixes(let span)) {
            wait = max(wait ?? span, span)
        } catch .unavailable {
            isUnavailable = true
        } catch {
            refusal = error
        }
    }

    /// The merged receipt. If any promise could accept the report later, it is refused as a whole. Throws
    /// `tooManyFixes`, `unavailable`, `positionOutsideWindow` if no promise accepts reports now, and the refusal if all
    /// others refuse it.
    func receipt() throws -> ReportReceipt {
        if let wait { throw Refusal.tooManyFixes(retryAfter: wait) }
        if isUnavailable { throw EngineError.unavailable }
        guard var merged else { throw refusal ?? .refused(.positionOutsideWindow) }
        if isMixed { merged.rejected.removeAll { taken.contains($0.seq) } }
        return merged
    }

    private mutating func merge(_ receipt: ReportReceipt) {
        defer { latest = receipt }
        guard var all = merged else {
            merged = receipt
            taken = Set(receipt.taken)
            rejected = Set(receipt.rejected.map(\.seq))
            return
        }
        // Without this, the append below would copy the array.
        merged = nil
        if receipt.taken != latest.taken {
            isMixed = true
            for seq in receipt.taken where taken.insert(seq).inserted { all.taken.append(seq) }
        }
        if receipt.rejected != latest.rejected {
            isMixed = true
            for each in receipt.rejected where rejected.insert(each.seq).inserted { all.rejected.append(each) }
        }
        all.nextReport = [all.nextReport, receipt.nextReport].compactMap { $0 }.min()
        merged = all
    }
}
