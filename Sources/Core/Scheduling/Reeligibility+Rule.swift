import Foundation
import Model

extension Reeligibility {
    /// Whether a user can have the campaign at `time` who last had it at `last`.
    package func allows(messageAt time: Date, last: Date?) -> Bool {
        guard let last else { return true }
        switch self {
        case .never: return false
        case .after(let pause): return time >= last.addingTimeInterval(pause)
        }
    }
}
