import Foundation
import JSON
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
    package static let lists = ["attributes", "events", "purchases"]

    package private(set) var items: [IngestItem] = []
    package private(set) var problems: [Problem] = []
    /// Where each item comes from, in step with `items`.
    package private(set) var origins: [(list: String, index: Int)] = []
    /// The elements of each list that was present.
    package private(set) var counts: [String: Int] = [:]

    /// Reads a body.
    ///
    /// - Throws: `FieldProblem` when nothing of the body can be used.
    package init(_ body: JSONNode, now: Date) throws(FieldProblem) {
        guard body.kind == .object else { throw FieldProblem("body", "send a JSON object") }
        for list in Self.lists {
            guard let value = body.present(list) else { continue }
            guard value.kind == .array else {
                throw FieldProblem(list, "must be an array of objects")
            }
            let elements = Array(value.elements)
            guard elements.count <= Self.elementLimit else {
                throw FieldProblem(
                    list,
                    "Max Input Length Exceeded: at most \(Self.elementLimit) elements"
                )
            }
            counts[list] = elements.count
            items.reserveCapacity(items.count + elements.count)
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

    /// One element of a list: `attributes`, `events` or `purchases`.
    package static func item(
        _ element: JSONNode,
        _ list: String,
        _ now: Date
    ) throws(FieldProblem) -> IngestItem {
        guard element.kind == .object else { throw FieldProblem("", "must be an object") }
        if let flaw = element.flaw { throw FieldProblem(flaw.path, flaw.message) }
        var tokens: PushTokenReader?
        if list == "attributes" {
            tokens = try PushTokenReader(
                element,
                isImport: try flag("push_token_import", element) ?? false
            )
        }
        let user: UserReference
        if let nobody = tokens?.user {
            user = nobody
        } else {
            user = try UserIdentifier.read(element)
        }
        var existingOnly = try flag("_update_existing_only", element)
        if existingOnly == nil, case .alias = user { existingOnly = true }
        var recordID: UUID?
        if list != "attributes", let id = element.present("id") {
            recordID = id.string.flatMap(UUID.init(uuidString:))
            guard recordID != nil else { throw FieldProblem("id", "send a UUID, or leave it out") }
        }
        var item = IngestItem(
            recordID: recordID,
            user: user,
            updatesExistingOnly: existingOnly ?? false,
            time: list == "attributes" ? now : try time(element, now),
            content: try content(element, list)
        )
        item.pushTokens = tokens?.tokens ?? []
        item.isTokenImport = tokens?.isImport ?? false
        return item
    }

    private static func content(
        _ element: JSONNode,
        _ list: String
    ) throws(FieldProblem) -> IngestItem.Content {
        switch list {
        case "attributes": return .attributes(try changes(element))
        case "events":
            guard let name = element["name"]?.string else {
                throw FieldProblem("name", "is required and must be a string")
            }
            try FieldRule.eventName(name)
            return .event(name: name, properties: try FieldRule.properties(element))
        default: return try purchase(element)
        }
    }

    private static let controlFields: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects",
        "app_id", "push_token_import", "push_tokens",
    ]

    private static func changes(_ element: JSONNode) throws(FieldProblem) -> AttributeChanges {
        let mergesObjects = try flag("_merge_objects", element) ?? false
        var values: [String: JSONValue] = [:]
        for (key, value) in element.members {
            guard let name = key.string, !controlFields.contains(name) else { continue }
            values[name] = value.value
        }
        return AttributeChanges(values, mergesObjects: mergesObjects)
    }

    private static func purchase(
        _ element: JSONNode
    ) throws(FieldProblem) -> IngestItem.Content {
        guard let product = element["product_id"]?.string else {
            throw FieldProblem("product_id", "is required and must be a string")
        }
        guard let currency = element["currency"]?.string else {
            throw FieldProblem("currency", "is required and must be a string")
        }
        guard let price = element["price"]?.number?.doubleValue else {
            throw FieldProblem("price", "is required and must be a number")
        }
        var quantity = 1
        if let pieces = element["quantity"] {
            guard let count = pieces.number?.integerValue.flatMap(Int.init(exactly:)) else {
                throw FieldProblem("quantity", "is a whole number from 1 to 100")
            }
            quantity = count
        }
        try FieldRule.purchase(product, currency, price, quantity)
        return .purchase(
            product: product,
            currency: currency.uppercased(),
            price: price,
            quantity: quantity,
            properties: try FieldRule.properties(element)
        )
    }

    private static func flag(
        _ name: String,
        _ element: JSONNode
    ) throws(FieldProblem) -> Bool? {
        guard let value = element.present(name) else { return nil }
        guard let flag = value.bool else {
            throw FieldProblem(name, "send true or false")
        }
        return flag
    }

    private static func time(_ element: JSONNode, _ now: Date) throws(FieldProblem) -> Date {
        guard let node = element["time"], node.kind == .string,
            let time = node.withBytes(Timestamp.parse) ?? node.string.flatMap(Timestamp.parse)
        else {
            throw FieldProblem(
                "time",
                "is required: a time in ISO 8601, such as 2026-07-04T18:30:00Z"
            )
        }
        return min(time, now)
    }
}
