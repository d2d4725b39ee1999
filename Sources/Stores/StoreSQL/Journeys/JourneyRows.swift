import Foundation
import Model
import Ports
import Relational

extension Journey {
    static func fetch(_ id: JourneyID, _ database: Database) throws -> Journey? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM journeys WHERE id = ?",
            arguments: [id.rawValue]
        ).map(Journey.init(row:))
    }

    init(row: Row) throws {
        guard let state = JourneyState(rawValue: row["state"]) else {
            throw StoreError.unknownValue("state", in: row)
        }
        func time(_ column: String) -> Date? {
            (row[column] as Int64?).map(Date.init(milliseconds:))
        }
        self.init(
            id: JourneyID(row["id"]),
            workspace: WorkspaceID(row["workspace_id"]),
            apiID: try StoredUUID.value(row, "api_id"),
            state: state,
            draft: try StoredJSON.value(row["draft"], as: JourneyDefinition.self),
            version: row["version"],
            hasUnpublishedChanges: row["is_changed"],
            createdAt: Date(milliseconds: row["created_at"]),
            updatedAt: Date(milliseconds: row["updated_at"]),
            startedAt: time("started_at"),
            firstEntryAt: time("first_entry_at"),
            lastEntryAt: time("last_entry_at")
        )
    }
}

extension JourneyVersion {
    init(row: Row) throws {
        self.init(
            journey: JourneyID(row["journey_id"]),
            number: row["number"],
            definition: try StoredJSON.value(row["definition"], as: JourneyDefinition.self),
            publishedAt: Date(milliseconds: row["published_at"]),
            publisher: row["publisher"]
        )
    }
}

/// Entries, whose step is stored as a number.
enum JourneyEntryRow {
    /// What `entry(_:)` reads; the entries' table is named `entries`.
    static let columns = """
        entries.*, (SELECT step FROM journey_steps WHERE id = entries.step_id) AS step
        """

    static func entry(_ row: Row) throws -> JourneyEntry {
        func time(_ column: String) -> Date? {
            (row[column] as Int64?).map(Date.init(milliseconds:))
        }
        let ending: String? = row["end"]
        let end = ending.flatMap(JourneyEnd.init(rawValue:))
        guard let awaits = JourneyPosition.Awaited(rawValue: row["awaits"]),
            (ending == nil) == (end == nil)
        else {
            throw StoreError.unknownValue(ending == nil ? "awaits" : "end", in: row)
        }
        return JourneyEntry(
            id: JourneyEntryID(row["id"]),
            journey: JourneyID(row["journey_id"]),
            profile: ProfileID(row["profile_id"]),
            number: row["number"],
            version: row["version"],
            enteredAt: Date(milliseconds: row["entered_at"]),
            properties: try properties(row["properties"]),
            position: end == nil
                ? JourneyPosition(
                    step: JourneyStepID(try StoredUUID.value(row, "step")),
                    passage: row["passage"],
                    arrivedAt: Date(milliseconds: row["arrived_at"]),
                    dueAt: time("due_at"),
                    awaits: awaits
                ) : nil,
            end: end,
            endedAt: time("ended_at"),
            convertedAt: time("converted_at")
        )
    }

    /// Most entries bring nothing along.
    static func properties(_ text: String) throws -> MessageProperties {
        text.isEmpty
            ? MessageProperties() : try StoredJSON.value(text, as: MessageProperties.self)
    }

    static func text(_ properties: MessageProperties) throws -> String {
        properties.isEmpty ? "" : try StoredJSON.text(properties)
    }
}

/// Outcomes of passages, as they are stored.
enum JourneyOutcomeCode {
    static func code(_ outcome: JourneyPassage.Outcome) -> Int {
        switch outcome {
        case .passed: 0
        case .late: 1
        case .left: 2
        }
    }

    static func outcome(_ code: Int) throws -> JourneyPassage.Outcome {
        switch code {
        case 0: .passed
        case 1: .late
        case 2: .left
        default: throw StoreError.unknownValue("outcome", "\(code)")
        }
    }
}
