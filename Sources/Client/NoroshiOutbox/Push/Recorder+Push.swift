import Foundation
import NoroshiWire

extension Recorder {
    /// Records an interaction with a push once, whether the app or an extension reports it first,
    /// and however often the system reports it. Returns `false` if it was already recorded.
    package func recordInteraction(
        _ kind: SDKRecord.PushInteraction.Kind,
        with payload: PushPayload,
        action: String? = nil
    ) -> Result<Bool, NoroshiError> {
        let interaction = SDKRecord.PushInteraction(
            kind: kind,
            dispatch: payload.dispatch,
            pushNumber: payload.pushNumber,
            action: action
        )
        let key = "\(payload.dispatch)|\(kind.rawValue)|\(action ?? "")"
        return transaction(urgent: true) { access in
            guard access.state.recordInteraction(key) else { return false }
            if let number = payload.pushNumber {
                access.state.recordDispatch(payload.dispatch, number: number)
            }
            try access.append(
                .push(interaction),
                id: dependencies.makeID(),
                time: dependencies.now()
            )
            return true
        }
    }

    /// Records the open of the push `number`, once, for an app that has only its number.
    package func recordOpen(ofPush number: Int64) -> Result<Bool, NoroshiError> {
        transaction(urgent: true) { access in
            let unknown = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            let dispatch = access.state.dispatches[number] ?? unknown
            let owner = dispatch == unknown ? "push_no \(number)" : "\(dispatch)"
            guard access.state.recordInteraction("\(owner)|opened|") else { return false }
            try access.append(
                .push(
                    SDKRecord.PushInteraction(
                        kind: .opened,
                        dispatch: dispatch,
                        pushNumber: number
                    )
                ),
                id: dependencies.makeID(),
                time: dependencies.now()
            )
            return true
        }
    }
}
