import Foundation
import Model
import Ports
import StoreSQL

/// Compares the dispatches with the simulator's record, row by row.
struct TortureVerdict {
    private(set) var summary: [String] = []
    private(set) var differences: [String] = []

    private static let page = 10_000

    init(
        site: TortureEnvironment,
        send: SendID,
        store: SQLStore,
        record: AcceptedRecord,
        seconds: Double
    ) async throws {
        guard let stored = try await store.send(send) else { throw BenchError("the send is gone") }
        if stored.state != .finished { differences.append("the send is \(stored.state.rawValue)") }
        let removed = Set(site.removed.map(DeliveryAudience.token))
        var rows = 0
        var accepted = 0
        var after: DeviceID?
        repeat {
            let page = try await store.ledger(of: send, after: after, limit: Self.page)
            for row in page {
                rows += 1
                if row.state == .accepted { accepted += 1 }
                let id = DispatchID(workspace: stored.workspace, send: send, device: row.device)
                compare(row, id: "\(id)", record, removed)
            }
            after = page.last?.device
        } while after != nil
        if rows != site.recipients {
            differences.append("the ledger has \(rows) rows for \(site.recipients) recipients")
        }
        if record.devices.count != accepted {
            differences.append(
                "\(record.devices.count) devices show the push, \(accepted) rows are accepted"
            )
        }
        for count in try await store.countMismatches(of: send) {
            differences.append("\(count.name): kept \(count.kept), counted \(count.counted)")
        }
        let counts = try await store.counts(of: [send])[send] ?? SendCounts()
        let states = DispatchState.allCases.filter { counts[$0] > 0 }
            .map { "\($0) \(counts[$0])" }.joined(separator: ", ")
        let repeated = record.lines - record.devices.count
        summary = [
            "ledger: \(states); \(Int(seconds)) s",
            "record: \(record.lines) accepted for \(record.devices.count) devices; "
                + "\(repeated) were repetitions under the same id, which replace on the device",
        ]
    }

    private mutating func compare(
        _ row: LedgerRow,
        id: String,
        _ record: AcceptedRecord,
        _ removed: Set<String>
    ) {
        // The users were created in order, and the file has no other devices.
        let number = Int(row.device.rawValue) - 1
        let token = DeliveryAudience.token(number)
        let shown = record.devices[token]
        let expected: DispatchState =
            TortureEnvironment.isAborted(number)
            ? .skipped : removed.contains(token) ? .rejected : .accepted
        if row.state != expected {
            differences.append(
                "device \(row.device): \(row.state) (\(row.reason ?? "-")) after "
                    + "\(row.attempts) attempts, expected \(expected)"
            )
        }
        if let shown {
            if expected != .accepted {
                differences.append("device \(row.device): shows a push that was not to be sent")
            }
            if shown.shown != 1 {
                differences.append("device \(row.device): shows the push \(shown.shown) times")
            }
            if shown.ids != [id] {
                differences.append("device \(row.device): was sent \(shown.ids), not \(id)")
            }
        } else if row.state == .accepted {
            differences.append("device \(row.device): accepted, but the record does not know it")
        }
        if row.state == .accepted, row.providerID != id {
            differences.append("device \(row.device): the ledger has \(row.providerID ?? "no id")")
        }
        if row.state == .rejected, row.token != nil {
            differences.append("device \(row.device): its dead token is still in use")
        }
    }
}
