import Ports

extension PushOutcome {
    package var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    package var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }

    package var rejection: PushRejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}
