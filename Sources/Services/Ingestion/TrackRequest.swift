import Foundation
import Model
import NoroshiWire
import Ports

/// The body of `POST /users/track`, checked element by element.
package struct TrackRequest: Sendable {
    /// One element that cannot be stored; the others count.
    package struct Problem: Sendable, Hashable {
        /// `attributes`, `events` or `purchases`.
        package var list: String
        package var index: Int
        package var field: String
        package var message: String
    }

    /// The most elements of each list.
    package static let elementLimit = 75
    private static let lists = ["attributes", "events", "purchases"]

    package private(set) var items: [IngestItem] = []
    package private(set) var problems: [Problem] = []
    /// Where each item comes from, in step with `items`.
    package private(set) var origins: [(list: String, index: Int)] = []
    /// The elements of each list that was present.
    package private(set) var counts: [String: Int] = [:]

    /// Reads a body.
    ///
    /// - Throws: `FieldProblem` when nothing of the body can be used.
    package init(_ body: JSONValue, now: Date) throws(FieldProblem) {
        guard let body = body.objectValue else {
            throw FieldProblem("body", "send a JSON object")
        }
        for list in Self.lists {
            guard let value = body[list], value != .null else { continue }
            guard let elements = value.arrayValue else {
                throw FieldProblem(list, "must be an array of objects")
            }
            guard elements.count <= Self.elementLimit else {
                throw FieldProblem(
                    list,
                    "Max Input Length Exceeded: at most \(Self.elementLimit) elements"
                )
            }
            counts[list] = elements.count
            for (index, element) in elements.enumerated() {
                do throws(FieldProblem) {
                    items.append(try Self.item(element, list, now))
                    origins.append((list, index))
                } catch {
                    problems.append(
                        Problem(
                            list: list,
                            index: index,
                            field: error.field,
                            message: error.message
                        )
                    )
                }
            }
        }
        guard !counts.isEmpty else {
            throw FieldProblem("body", "send attributes, events or purchases")
        }
    }

    private static func item(
        _ element: JSONValue,
        _ list: String,
        _ now: Date
    ) throws(FieldProblem) -> IngestItem {
        guard let object = element.objectValue else {
            throw FieldProblem("", "must be an object")
        }
        let user = try UserIdentifier.read(object)
        var existingOnly = false
        if let flag = object["_update_existing_only"], flag != .null {
            guard let value = flag.boolValue else {
                throw FieldProblem("_update_existing_only", "send true or false")
            }
            existingOnly = value
        } else if case .alias = user {
            existingOnly = true
        }
        var recordID: UUID?
        if list != "attributes", let id = object["id"], id != .null {
            recordID = id.stringValue.flatMap(UUID.init(uuidString:))
            guard recordID != nil else { throw FieldProblem("id", "send a UUID, or leave it out") }
        }
        switch list {
        case "attributes":
            return IngestItem(
                recordID: nil,
                user: user,
                updatesExistingOnly: existingOnly,
                time: now,
                content: .attributes(try changes(object, user))
            )
        case "events":
            guard let name = object["name"]?.stringValue else {
                throw FieldProblem("name", "is required and must be a string")
            }
            try FieldRule.eventName(name)
            return IngestItem(
                recordID: recordID,
                user: user,
                updatesExistingOnly: existingOnly,
                time: try time(object, now),
                content: .event(name: name, properties: try properties(object))
            )
        default:
            return IngestItem(
                recordID: recordID,
                user: user,
                updatesExistingOnly: existingOnly,
                time: try time(object, now),
                content: try purchase(object)
            )
        }
    }

    private static let controlFields: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects",
        "app_id", "push_token_import", "push_tokens",
    ]

    private static func changes(
        _ object: [String: JSONValue],
        _ user: UserReference
    ) throws(FieldProblem) -> AttributeChanges {
        var mergesObjects = false
        if let flag = object["_merge_objects"], flag != .null {
            guard let value = flag.boolValue else {
                throw FieldProblem("_merge_objects", "send true or false")
            }
            mergesObjects = value
        }
        return AttributeChanges(
            object.filter { !controlFields.contains($0.key) },
            mergesObjects: mergesObjects
        )
    }

    private static func purchase(
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> IngestItem.Content {
        guard let product = object["product_id"]?.stringValue else {
            throw FieldProblem("product_id", "is required and must be a string")
        }
        guard let currency = object["currency"]?.stringValue else {
            throw FieldProblem("currency", "is required and must be a string")
        }
        guard let price = object["price"]?.doubleValue else {
            throw FieldProblem("price", "is required and must be a number")
        }
        let quantity = object["quantity"] ?? 1
        guard let pieces = quantity.integerValue, let count = Int(exactly: pieces) else {
            throw FieldProblem("quantity", "is a whole number from 1 to 100")
        }
        try FieldRule.purchase(product, currency, count)
        return .purchase(
            product: product,
            currency: currency.uppercased(),
            price: price,
            quantity: count,
            properties: try properties(object)
        )
    }

    private static func time(
        _ object: [String: JSONValue],
        _ now: Date
    ) throws(FieldProblem) -> Date {
        guard let text = object["time"]?.stringValue, let time = Timestamp.parse(text) else {
            throw FieldProblem(
                "time",
                "is required: a time in ISO 8601, such as 2026-07-04T18:30:00Z"
            )
        }
        return min(time, now)
    }

    private static func properties(
        _ object: [String: JSONValue]
    ) throws(FieldProblem) -> [String: JSONValue] {
        guard let value = object["properties"], value != .null else { return [:] }
        guard let properties = value.objectValue else {
            throw FieldProblem("properties", "must be an object")
        }
        try FieldRule.properties(properties)
        return properties
    }
}
