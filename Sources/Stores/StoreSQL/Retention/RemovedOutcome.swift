import Model
import Relational

/// What became of a message, as it is summed up for its user.
enum RemovedOutcome: String, Hashable {
    case delivered
    case received
    case opened
    /// Opened without a tap.
    case influenced
    case dismissed

    /// What is counted of a dispatch for its user, with the times.
    static func all(of row: Row) -> [(RemovedOutcome, Int64)] {
        let isAccepted = row["state"] == DispatchState.accepted.rawValue
        let opened: Int64? = row["opened_at"]
        let times: [(RemovedOutcome, Int64?)] = [
            (.delivered, isAccepted ? row["accepted"] : nil),
            (.received, row["received_at"]),
            (.opened, opened),
            (.influenced, opened == nil ? row["influenced_at"] : nil),
            (.dismissed, row["dismissed_at"]),
        ]
        return times.compactMap { outcome, time in time.map { (outcome, $0) } }
    }
}
