import Foundation
import Model

extension SendContent {
    /// The common message of each variant that users of a launch get; for any other send, its
    /// message.
    package var sentMessages: [PushMessage] {
        guard let launch, launch.content.variants.count > 1 else { return [message] }
        if case .rest = launch.part { return [message] }
        let sent = launch.content.variants.filter { $0.weight > 0 }
        return sent.isEmpty ? [message] : sent.map(\.message.common.message)
    }
}
