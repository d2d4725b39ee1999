import Foundation
import Model
import NoroshiWire
import Relational

/// Facts of the log.
extension FactReader {
    /// - Parameter place: Where in its list the reading begins.
    func read(_ note: FactNote, from place: Int64) throws {
        switch note.kind {
        case .message, .messageOutcome: try readMessages(note, from: place)
        case .messageAnonymized: try readAnonymized(note)
        case .influencedOpen: try readInfluencedOpen(note)
        case .pushInteraction: try readForgottenReport(note)
        case .controlMember: try readKept(note, from: place, in: "campaign_entries")
        case .withheld: try readKept(note, from: place, in: "withheld_messages")
        case .userNamed, .consent, .newsRead: try readOfUser(note)
        case .userMerged, .userDeleted:
            var fields = try StoredJSON.object(note.detail)
            fields["time"] = FactValue.time(note.at)
            add(note.first, note.kind, fields)
        case .journeyEntered, .journeyLeft, .journeyConverted: try readEntry(note)
        case .journeyStep: try readPassage(note)
        case .user, .event, .purchase, .session, .uninstall, .send, .inAppInteraction, .audit:
            break
        }
    }

    // MARK: Messages

    private static let messageColumns = """
        dispatches.*, profiles.public_id AS public_id, profiles.external_id AS external_id,
        devices.installation_id AS installation_id, apps.bundle_id AS bundle_id,
        coalesce(devices.platform, dispatches.device_platform) AS platform,
        campaign_variants.api_id AS variation
        """
    private static let messageJoins = """
        LEFT JOIN profiles ON profiles.id = dispatches.profile_id
        LEFT JOIN devices ON devices.id = dispatches.device_id
        LEFT JOIN apps ON apps.id = dispatches.lane / 8
        LEFT JOIN campaign_variants ON campaign_variants.campaign_id = :campaign
            AND campaign_variants.number = dispatches.variant
        """

    private func readMessages(_ note: FactNote, from place: Int64) throws {
        guard let number = note.send else { return }
        let send = try send(number)
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT CAST(places.key AS INTEGER) AS place, \(Self.messageColumns)
                    FROM json_each(:detail) AS places
                    CROSS JOIN dispatches ON dispatches.send_id = :send
                        AND dispatches.device_id = CAST(places.value AS INTEGER)
                    \(Self.messageJoins)
                    WHERE CAST(places.key AS INTEGER) >= :place ORDER BY 1 LIMIT :room
                    """
            ),
            arguments: [
                "detail": note.detail, "send": number, "campaign": send.campaignID,
                "place": place, "room": room,
            ]
        )
        while let row = try rows.next() {
            let number = note.first + row["place"]
            var fields =
                note.kind == .message
                ? try planned(row, send) : outcome(row, note.state ?? .unknown, at: note.at)
            fields["push_no"] = .integer(send.number)
            fields["message_id"] = message(send.number, row["device_id"])
            if note.kind == .message { fields["time"] = FactValue.time(note.at) }
            add(number, note.kind, fields)
        }
    }

    private func planned(_ row: Row, _ send: SendOfFact) throws -> [String: JSONValue] {
        try Self.user(row).merging(send.fields) { $1 }.merging([
            "due_at": FactValue.time(row, "due_at"),
            "device_id": try FactValue.id(row, "installation_id"),
            "app": FactValue.text(row, "bundle_id"),
            "platform": FactValue.text(row, "platform"),
            "message_variation_id": (row["variation"] as String?)
                .map { .string($0.lowercased()) } ?? .null,
        ]) { $1 }
    }

    /// A later outcome may have taken the place of this one, as when an answer came after all; then
    /// its reason is not known any more.
    private func outcome(
        _ row: Row,
        _ state: DispatchState,
        at time: Int64?
    ) -> [String: JSONValue] {
        let isLatest = row["state"] == state.rawValue
        let accepted: Int64? = row["accepted_at"]
        let isUnreported: Bool? = row["is_unreported"]
        return [
            "time": FactValue.time(state == .accepted ? accepted ?? time : time),
            "outcome": .string(Self.name(of: state)),
            "reason": isLatest ? FactValue.text(row, "reason") : .null,
            "provider_id": isLatest ? FactValue.text(row, "provider_id") : .null,
            "is_unreported": .bool(state == .accepted && isUnreported == true),
        ]
    }

    private static func name(of state: DispatchState) -> String {
        switch state {
        case .queued, .sending: "open"
        case .accepted: "accepted"
        case .rejected: "refused"
        case .unknown: "unknown"
        case .skipped: "skipped"
        }
    }

    /// What is left of a message to a deleted user: nothing of the person, all that figures count.
    private func readAnonymized(_ note: FactNote) throws {
        guard let number = note.send else { return }
        let send = try send(number)
        let detail = try StoredJSON.object(note.detail)
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT \(Self.messageColumns) FROM dispatches \(Self.messageJoins)
                    WHERE dispatches.send_id = :send AND dispatches.device_id = :device
                    """
            ),
            arguments: [
                "send": number, "campaign": send.campaignID,
                "device": detail["device"]?.integerValue,
            ]
        )
        guard let row else { return }
        let state = (row["state"] as Int?).flatMap(DispatchState.init) ?? .unknown
        var fields = try planned(row, send).merging(outcome(row, state, at: note.at)) { $1 }
        for name in ["user_id", "external_id", "device_id", "provider_id"] { fields[name] = nil }
        fields["time"] = FactValue.time(note.at)
        fields["message_id"] = message(send.number, row["device_id"])
        fields["replaces_message_id"] = detail["was"] ?? .null
        for name in ["accepted_at", "received_at", "opened_at", "influenced_at", "dismissed_at"] {
            fields[name] = FactValue.time(row, name)
        }
        fields["opened_page"] = FactValue.number(row, "opened_page")
        add(note.first, note.kind, fields)
    }

    private func readInfluencedOpen(_ note: FactNote) throws {
        let devices = try StoredJSON.value(note.detail, as: [Int64].self)
        guard let number = note.send, let device = devices.first else { return }
        // The row of a deleted user has another number; what is left of it says the same.
        let isThere = try Bool.fetchOne(
            try database.cachedStatement(
                sql: "SELECT TRUE FROM dispatches WHERE send_id = ? AND device_id = ?"
            ),
            arguments: [number, device]
        )
        guard isThere == true else { return }
        add(
            note.first,
            note.kind,
            [
                "push_no": .integer(number), "message_id": message(number, device),
                "time": FactValue.time(note.at),
            ]
        )
    }

    /// A report of a deleted user, without the user.
    private func readForgottenReport(_ note: FactNote) throws {
        let detail = try StoredJSON.object(note.detail)
        guard let number = note.send, let device = detail["device"]?.integerValue else { return }
        var fields = try send(number).fields
        fields["message_id"] = message(number, device)
        fields["time"] = FactValue.time(note.at)
        fields["interaction"] = detail["interaction"] ?? .null
        fields["page"] = detail["page"] ?? .null
        for name in ["user_id", "external_id", "action"] { fields[name] = .null }
        add(note.first, note.kind, fields)
    }

    private func readKept(_ note: FactNote, from place: Int64, in table: String) throws {
        guard let number = note.send else { return }
        let send = try send(number)
        let condition = table == "campaign_entries" ? "AND kept.is_control" : ""
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT CAST(places.key AS INTEGER) AS place, kept.due_at AS due_at, public_id,
                        external_id
                    FROM json_each(:detail) AS places
                    LEFT JOIN merged_users
                        ON merged_users.profile_id = CAST(places.value AS INTEGER)
                    CROSS JOIN profiles ON profiles.id
                        = coalesce(merged_users.became, CAST(places.value AS INTEGER))
                    CROSS JOIN \(table) AS kept
                        ON kept.profile_id = profiles.id AND kept.send_id = :send \(condition)
                    WHERE CAST(places.key AS INTEGER) >= :place ORDER BY 1 LIMIT :room
                    """
            ),
            arguments: ["detail": note.detail, "send": number, "place": place, "room": room]
        )
        while let row = try rows.next() {
            let fields = try Self.user(row).merging(send.fields) { $1 }.merging([
                "time": FactValue.time(note.at), "due_at": FactValue.time(row, "due_at"),
            ]) { $1 }
            add(note.first + row["place"], note.kind, fields)
        }
    }

    // MARK: Users

    private func readOfUser(_ note: FactNote) throws {
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT public_id, external_id FROM profiles WHERE id = coalesce(
                        (SELECT became FROM merged_users WHERE profile_id = :user), :user)
                    """
            ),
            arguments: ["user": note.user]
        )
        guard let row else { return }
        var fields = try Self.user(row)
        fields["time"] = FactValue.time(note.at)
        switch note.kind {
        case .newsRead: fields["news_id"] = Int64(note.detail).map(JSONValue.integer) ?? .null
        case .consent: fields.merge(try StoredJSON.object(note.detail)) { $1 }
        default: break
        }
        add(note.first, note.kind, fields)
    }

    // MARK: Journeys

    private static let entryColumns = """
        journey_entries.id AS entry, journeys.api_id AS journey, journey_entries.number AS entry_no,
        journey_entries.version AS version, end, public_id, external_id
        """
    private static let entryJoins = """
        journey_entries CROSS JOIN journeys ON journeys.id = journey_entries.journey_id
        CROSS JOIN profiles ON profiles.id = journey_entries.profile_id
        """

    private func entryFields(_ row: Row, _ note: FactNote) throws -> [String: JSONValue] {
        try Self.user(row).merging([
            "time": FactValue.time(note.at),
            "journey_id": try FactValue.id(row, "journey"),
            "entry_id": FactValue.number(row, "entry"),
            "version": FactValue.number(row, "version"),
        ]) { $1 }
    }

    private func readEntry(_ note: FactNote) throws {
        let ids = try StoredJSON.value(note.detail, as: [Int64].self)
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT \(Self.entryColumns) FROM \(Self.entryJoins)
                    WHERE journey_entries.id = ?
                    """
            ),
            arguments: [ids.first]
        )
        guard let row else { return }
        var fields = try entryFields(row, note)
        if note.kind == .journeyLeft { fields["reason"] = FactValue.text(row, "end") }
        add(note.first, note.kind, fields)
    }

    private func readPassage(_ note: FactNote) throws {
        let ids = try StoredJSON.value(note.detail, as: [Int64].self)
        guard ids.count == 2 else { return }
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT \(Self.entryColumns), journey_passages.number AS passage,
                        journey_passages.arrived_at AS arrived_at, outcome, path,
                        journey_passages.send_id AS push_no, journey_steps.step AS step
                    FROM \(Self.entryJoins)
                    CROSS JOIN journey_passages ON entry_id = journey_entries.id
                    LEFT JOIN journey_steps ON journey_steps.id = journey_passages.step_id
                    WHERE journey_entries.id = ? AND journey_passages.number = ?
                    """
            ),
            arguments: [ids[0], ids[1]]
        )
        guard let row else { return }
        let fields = try entryFields(row, note).merging([
            "passage_no": FactValue.number(row, "passage"),
            "step_id": try FactValue.id(row, "step"),
            "arrived_at": FactValue.time(row, "arrived_at"),
            "outcome": .string(try JourneyOutcomeCode.outcome(row["outcome"]).rawValue),
            "path": FactValue.number(row, "path"),
            "push_no": FactValue.number(row, "push_no"),
        ]) { $1 }
        add(note.first, note.kind, fields)
    }
}
