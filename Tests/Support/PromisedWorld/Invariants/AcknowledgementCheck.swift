internal import PromisedDomain
internal import PromisedProtocol

/// Checks that an answered request has an effect in the committed rows: one that a later request cannot undo.
enum AcknowledgementCheck {
    /// - Throws: an acknowledged request without a trace.
    static func check(
        _ reply: WireContent,
        to request: WireRequest,
        of userID: UserID,
        in committed: CommittedRows
    ) throws(Violation) {
        guard !reply.isError, !isStored(reply, request, of: userID, in: committed) else { return }
        throw Violation(.acknowledged, "\(request.name) of \(userID.low & 0xFF) is acknowledged and not stored")
    }

    private static func isStored(
        _ reply: WireContent,
        _ request: WireRequest,
        of userID: UserID,
        in committed: CommittedRows
    ) -> Bool {
        switch request {
        case .createPromise:
            guard case .promise(let reply) = reply else { return false }
            return committed.promises[reply.promise.promiseID.id()] != nil
        case .checkIn(let request): return hasArrived(userID, in: request.promiseID.id(), committed)
        case .respond(let request):
            // An accepted participant who declines leaves.
            let traces: [PromiseEvent] = request.accept ? [.joined(userID)] : [.declined(userID), .left(userID)]
            return traces.contains { committed.has($0, in: request.promiseID.id()) }
        case .leavePromise(let request): return committed.has(.left(userID), in: request.promiseID.id())
        case .cancelPromise(let request): return committed.promises[request.promiseID.id()]?.isCancelled == true
        case .handOver(let request): return committed.has(.handedOver(request.userID.id()), in: request.promiseID.id())
        case .updatePromise(let request): return isStored(request, in: request.promiseID.id(), committed)
        case .excuse(let request):
            return committed.parts[request.promiseID.id()]?[request.userID.id()]?.isExcused == true
        case .deleteAccount: return committed.deleted.contains(userID)
        default: return true
        }
    }

    private static func isStored(_ edit: WireUpdatePromise, in id: PromiseID, _ committed: CommittedRows) -> Bool {
        if edit.hasTitle || edit.hasMeetsAt { return committed.has(.edited, in: id) }
        return edit.remove.allSatisfy { committed.has(.removed($0.id()), in: id) }
            && edit.invite.allSatisfy { committed.parts[id]?[$0.id()] != nil }
    }

    /// A check-in cannot be undone; an arrival by positions can.
    private static func hasArrived(_ userID: UserID, in id: PromiseID, _ committed: CommittedRows) -> Bool {
        (committed.events[id] ?? []).contains { event in
            switch event.event {
            case .arrived(let other), .arrivalConfirmed(let other): other.userID == userID
            default: false
            }
        }
    }
}

extension CommittedRows {
    fileprivate func has(_ event: PromiseEvent, in id: PromiseID) -> Bool {
        (events[id] ?? []).contains { $0.event == event }
    }
}
