import Foundation
import NoroshiWire

extension Recorder {
    /// Records an interaction with a push once, whether the app or an extension reports it first,
    /// and however often the system reports it. Returns `false` if it was already recorded.
    package func recordInteraction(
        _ kind: SDKRecord.PushInteraction.Kind,
        with payload: PushPayload,
        action: String? = nil,
        page: Int? = nil
    ) -> Result<Bool, NoroshiError> {
        let interaction = SDKRecord.PushInteraction(
            kind: kind,
            dispatch: payload.dispatch,
            pushNumber: payload.pushNumber,
            action: action,
            page: page
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

    /// Remembers that a page of a push story, from 1, was tapped in an extension, for the app that
    /// this tap opens.
    package func setStoryPage(_ page: Int, of dispatch: UUID) {
        _ = transaction { $0.state.setStoryPage(page, of: dispatch) }
    }

    /// The page of a push story on which an extension has seen the tap that opens the app now, once.
    package func takeStoryPage(of payload: PushPayload) -> Int? {
        guard !payload.story.isEmpty,
            case .success(let page?) = transaction({
                $0.state.takeStoryPage(of: payload.dispatch)
            }),
            payload.story.indices.contains(page - 1)
        else { return nil }
        return page
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
