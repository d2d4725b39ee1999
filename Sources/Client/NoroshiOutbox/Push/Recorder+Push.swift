import Foundation
import NoroshiWire

extension Recorder {
    /// Records an interaction with a push once: whoever sees it first, the app or an extension,
    /// and however often the system reports it. `false` if it was recorded before.
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
            guard access.state.noteInteraction(key) else { return false }
            try access.append(
                .push(interaction),
                id: dependencies.makeID(),
                time: dependencies.now()
            )
            return true
        }
    }
}
