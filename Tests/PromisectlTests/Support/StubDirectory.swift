import PromisedConcurrency
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

@testable import promisectl

/// The answers of a server to imports of places; every place is new, and refs may be refused.
final class StubDirectory: Sendable {
    private struct State {
        var begun: [WireAdminBeginImport] = []
        var rows: [WirePlaceRow] = []
        var batches: [Int] = []
        var numbers = WireAdminImport()
        var ending: [String] = []
    }

    private let state = Guarded(State())
    private let refusedRefs: Set<String>
    private let failsToFinish: Bool

    init(refusing refs: Set<String> = [], failsToFinish: Bool = false) {
        refusedRefs = refs
        self.failsToFinish = failsToFinish
    }

    /// The imports begun so far, in order.
    var begun: [WireAdminBeginImport] { state.withLock { $0.begun } }
    var rows: [WirePlaceRow] { state.withLock { $0.rows } }
    /// The number of rows of each request.
    var batches: [Int] { state.withLock { $0.batches } }
    /// How imports ended: `finish` or `cancel`.
    var ending: [String] { state.withLock { $0.ending } }

    func answer(_ request: StubAdministration.Request) -> Result<StubAdministration.Reply, Failure> {
        state.withLock { state in
            switch request {
            case .beginImport(let request):
                state.begun.append(request)
                state.numbers.importID = "import-1"
                return .success(.placeImport(state.numbers))
            case .putPlaces(let request): return .success(.placeImport(take(request.rows, &state)))
            case .finishImport:
                state.ending.append("finish")
                guard !failsToFinish else { return .failure(.refused("too many would be removed")) }
                state.numbers.finished = true
                return .success(.placeImport(state.numbers))
            case .cancelImport:
                state.ending.append("cancel")
                return .success(.done(WireAdminDone()))
            default: return .failure(.refused("no such form"))
            }
        }
    }

    private func take(_ rows: [WirePlaceRow], _ state: inout State) -> WireAdminImport {
        state.rows += rows
        state.batches.append(rows.count)
        let refused = rows.indices.filter { refusedRefs.contains(rows[$0].ref) }
        state.numbers.added += UInt32(rows.count - refused.count)
        state.numbers.refused += UInt32(refused.count)
        var reply = state.numbers
        reply.refusedRows = refused.map { index in
            WireAdminRefusedRow.with { ($0.index, $0.reason, $0.field) = (UInt32(index), "no-category", "categories") }
        }
        return reply
    }
}
