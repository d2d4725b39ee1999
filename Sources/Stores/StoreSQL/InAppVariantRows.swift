import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Relational

/// The contents of an in-app message's variants, each under a number that is not reused once
/// devices have received it.
struct InAppVariantRows {
    let message: UUID
    let database: Database

    private struct Known {
        var number: Int
        var id: UUID
        var content: String
        var isGiven: Bool
    }

    private func known() throws -> [Known] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT number, variant_id, content, is_given FROM in_app_variants
                WHERE message_id = ? ORDER BY number
                """,
            arguments: [message]
        ).map { row in
            guard let id = UUID(uuidString: row["variant_id"]) else {
                throw StoreError(.unreadable, .variantWithoutID)
            }
            return Known(
                number: row["number"],
                id: id,
                content: row["content"],
                isGiven: row["is_given"]
            )
        }
    }

    func records() throws -> [InAppVariantRecord] {
        try known().map { known in
            let content = try StoredJSON.object(known.content)
            return InAppVariantRecord(
                number: known.number,
                id: known.id,
                header: content["header"]?.stringValue ?? "",
                text: content["message"]?.stringValue ?? ""
            )
        }
    }

    /// The message with an identifier and a number for each of its variants, which are stored. A
    /// variant without an identifier gets that of the variant with equal content, or a new one.
    func numbered(_ stored: InAppMessageDefinition) throws -> InAppMessageDefinition {
        var stored = stored
        guard stored.experiment.isRunning else {
            stored.experiment.identities = []
            return stored
        }
        let contents = try stored.contents.map(Self.text)
        let known = try known()
        var next = try nextNumber(known)
        var taken: Set<UUID> = []
        var identities: [InAppVariantIdentity] = []
        for (index, content) in contents.enumerated() {
            let named =
                stored.experiment.identities.indices.contains(index)
                ? stored.experiment.identities[index].id
                : known.last { $0.content == content && !taken.contains($0.id) }?.id
            var id = named ?? UUID()
            if !taken.insert(id).inserted {
                id = UUID()
                taken.insert(id)
            }
            let texts = known.filter { $0.id == id }
            let number: Int
            if let same = texts.last(where: { $0.content == content }) {
                number = same.number
            } else if let last = texts.last, !last.isGiven {
                number = last.number
            } else {
                number = next
                next += 1
            }
            identities.append(InAppVariantIdentity(id: id, number: number))
            let wasGiven = known.first { $0.number == number }?.isGiven ?? false
            try database.execute(
                sql: """
                    INSERT INTO in_app_variants (message_id, number, variant_id, content, is_given)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (message_id, number) DO UPDATE
                    SET variant_id = excluded.variant_id, content = excluded.content,
                        is_given = excluded.is_given
                    """,
                arguments: [
                    message, number, id.uuidString, content,
                    wasGiven || stored.state == .active,
                ]
            )
        }
        stored.experiment.identities = identities
        return stored
    }

    /// The number after all those that devices have reported or received.
    private func nextNumber(_ known: [Known]) throws -> Int {
        let reported = try Int.fetchOne(
            database,
            sql: """
                SELECT max(CAST(variant AS INTEGER)) FROM (
                    SELECT message_id, variant FROM in_app_message_interactions
                    UNION ALL SELECT message_id, variant FROM removed_in_app_subjects
                )
                WHERE message_id = ? AND variant IS NOT NULL
                    AND variant NOT IN \(InAppConversionRows.unseen)
                """,
            arguments: [message.uuidString.lowercased()]
        )
        // A device may report any number; the server never assigns one this large.
        let bounded = reported.flatMap { (0..<1_000_000).contains($0) ? $0 : nil } ?? -1
        return max(known.last?.number ?? -1, bounded) + 1
    }

    /// The visible content, without the rules, which belong to the message.
    private static func text(of content: InAppMessage) throws -> String {
        var members = try StoredJSON.object(StoredJSON.text(content))
        for name in ["id", "rules", "variant"] { members[name] = nil }
        return JSONWriter.text(members)
    }
}
