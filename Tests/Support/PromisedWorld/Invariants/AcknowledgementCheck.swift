internal import PromisedDomain

/// Checks that an answered request has an effect in the committed rows: one that a later request cannot undo.
enum AcknowledgementCheck {
    /// - Throws: an acknowledged request without a trace.
    static func check(_ answer: Answer, to ask: Ask, of userID: UserID, in ledger: Ledger) throws(Breach) {
        let isStored =
            switch (answer, ask) {
            case (.created(_, let id), _): ledger.promises[id] != nil
            case (.arrived(let id, let ranked), _): hasArrived(ranked, in: id, ledger)
            case (.done, .respond(let id, true)): ledger.has(.joined(userID), in: id)
            // An accepted participant who declines leaves.
            case (.done, .respond(let id, false)):
                ledger.has(.declined(userID), in: id) || ledger.has(.left(userID), in: id)
            case (.done, .leave(let id)): ledger.has(.left(userID), in: id)
            case (.done, .cancel(let id)): ledger.promises[id]?.isCancelled == true
            case (.done, .handOver(let id, let heir)): ledger.has(.handedOver(heir), in: id)
            case (.done, .edit(let id, let change)): isStored(change, in: id, ledger)
            case (.done, .excuse(let id, let other)): ledger.parts[id]?[other]?.isExcused == true
            case (.done, .erase): ledger.deleted.contains(userID)
            default: true
            }
        guard !isStored else { return }
        throw Breach(.acknowledged, "\(ask.name) of \(userID.low & 0xFF) is acknowledged and not stored")
    }

    private static func isStored(_ change: Ask.Change, in id: PromiseID, _ ledger: Ledger) -> Bool {
        switch change {
        case .title, .moved: ledger.has(.edited, in: id)
        case .remove(let other): ledger.has(.removed(other), in: id)
        case .invite(let other): ledger.parts[id]?[other] != nil
        }
    }

    /// A check-in cannot be undone; an arrival by positions can.
    private static func hasArrived(_ ranked: RankedArrival, in id: PromiseID, _ ledger: Ledger) -> Bool {
        (ledger.events[id] ?? []).contains { event in
            switch event.event {
            case .arrived(let other), .arrivalConfirmed(let other): other.userID == ranked.userID
            default: false
            }
        }
    }
}

extension Ledger {
    fileprivate func has(_ event: PromiseEvent, in id: PromiseID) -> Bool {
        (events[id] ?? []).contains { $0.event == event }
    }
}

extension Ask {
    var name: String {
        switch self {
        case .create: "create"
        case .respond: "respond"
        case .leave: "leave"
        case .cancel: "cancel"
        case .handOver: "handOver"
        case .edit: "edit"
        case .excuse: "excuse"
        case .subscribe: "subscribe"
        case .report: "report"
        case .reportToAll: "reportToAll"
        case .share: "share"
        case .status: "status"
        case .nudge: "nudge"
        case .trouble: "trouble"
        case .checkIn: "checkIn"
        case .block: "block"
        case .unblock: "unblock"
        case .unfriend: "unfriend"
        case .befriend: "befriend"
        case .erase: "erase"
        case .lookBack: "lookBack"
        case .errand(let errand): errand.name
        }
    }
}
