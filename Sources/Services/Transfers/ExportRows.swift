import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports

/// The rows of an export, in batches.
package struct ExportRows: Sendable {
    package enum Kind: String, Sendable {
        case users, events, sends
    }

    private static let partSize = 2_000

    let kind: Kind
    let workspace: WorkspaceID
    private let store: any ExportStore

    package init(_ kind: Kind, of workspace: WorkspaceID, from store: any ExportStore) {
        self.kind = kind
        self.workspace = workspace
        self.store = store
    }

    /// The columns of a CSV file.
    var columns: [String] {
        switch kind {
        case .users:
            ["external_id", "braze_id"] + StandardAttribute.allCases.map(\.rawValue)
                + ["custom_attributes"] + RestoredUserReader.columns
        case .events: ["external_id", "braze_id", "app_id", "name", "time", "properties"]
        case .sends:
            [
                "push_no", "state", "scheduled_at", "started_at", "finished_at", "pushes",
                "accepted", "received", "opened",
            ]
        }
    }

    /// The rows after an id, each with its own id.
    func next(after id: Int64) async throws -> [(id: Int64, row: [String: JSONValue])] {
        switch kind {
        case .users:
            try await store.exportUsers(in: workspace, after: id, limit: Self.partSize)
                .map { (id: $0.id, row: Self.row($0.user)) }
        case .events:
            try await store.exportEvents(in: workspace, after: id, limit: Self.partSize)
                .map { (id: $0.id, row: Self.row($0.event)) }
        case .sends:
            try await store.exportSends(in: workspace, after: id, limit: Self.partSize)
                .map { (id: $0.id, row: Self.row($0.id, $0.send)) }
        }
    }

    private static func row(_ exported: ExportedUser) -> [String: JSONValue] {
        let user = exported.profile
        var row = RestoredUserReader.row(exported)
        row["braze_id"] = .string(user.publicID.uuidString.lowercased())
        row["external_id"] = user.externalID.map(JSONValue.string)
        for (attribute, value) in user.standard { row[attribute.rawValue] = value }
        if !user.custom.isEmpty { row["custom_attributes"] = .object(user.custom) }
        return row
    }

    private static func row(_ event: ExportedEvent) -> [String: JSONValue] {
        var row: [String: JSONValue] = [
            "braze_id": .string(event.userID.uuidString.lowercased()),
            "name": .string(event.name), "time": .string(Timestamp.format(event.time)),
        ]
        row["external_id"] = event.externalID.map(JSONValue.string)
        row["app_id"] = event.app.map(JSONValue.string)
        if !event.properties.isEmpty { row["properties"] = .object(event.properties.object) }
        return row
    }

    private static func row(_ number: Int64, _ send: ExportedSend) -> [String: JSONValue] {
        var row: [String: JSONValue] = [
            "push_no": .integer(number), "state": .string(send.state),
            "scheduled_at": .string(Timestamp.format(send.scheduledAt)),
            "pushes": .integer(Int64(send.pushes)), "accepted": .integer(Int64(send.accepted)),
            "received": .integer(Int64(send.received)), "opened": .integer(Int64(send.opened)),
            "direct_opens": .integer(Int64(send.directOpens)),
        ]
        if !send.storyOpens.isEmpty {
            let opens = send.storyOpens.map { JSONValue.integer(Int64($0)) }
            row["story_page_opens"] = .array(opens)
        }
        row["started_at"] = send.startedAt.map { .string(Timestamp.format($0)) }
        row["finished_at"] = send.finishedAt.map { .string(Timestamp.format($0)) }
        return row
    }
}
