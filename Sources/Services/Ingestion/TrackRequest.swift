import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Reasons

/// The body of `POST /users/track`, validated element by element.
package struct TrackRequest: Sendable {
    /// An element that cannot be stored; the others are stored.
    package struct Problem: Sendable, Hashable {
        /// `attributes`, `events` or `purchases`.
        package var list: String
        package var index: Int
        package var problem: FieldProblem
    }

    /// Maximum numbers of elements in a body.
    package struct Limits: Sendable, Hashable {
        /// In each list.
        package var list: Int
        /// In all lists together.
        package var all: Int
        /// Of one user in all lists.
        package var user: Int

        /// `/users/track`.
        package static let single = Limits(
            list: elementLimit,
            all: lists.count * elementLimit,
            user: lists.count * elementLimit
        )
        /// `/users/track/bulk`.
        package static let bulk = Limits(list: bulkLimit, all: bulkLimit, user: 100)
    }

    /// Maximum number of elements per list.
    package static let elementLimit = 75
    /// Maximum number of elements in all lists of `/users/track/bulk`.
    package static let bulkLimit = 1000
    package static let lists = ["attributes", "events", "purchases"]

    package private(set) var items: [IngestItem] = []
    package private(set) var problems: [Problem] = []
    /// The list and index of each item, in the order of `items`.
    package private(set) var origins: [(list: String, index: Int)] = []
    /// Number of elements of each list that was present.
    package private(set) var counts: [String: Int] = [:]

    /// Reads a body.
    ///
    /// - Throws: `FieldProblem` if the whole body is unusable.
    package init(
        _ body: JSONNode,
        limits: Limits = .single,
        now: Date
    ) throws(FieldProblem) {
        guard body.kind == .object else { throw FieldProblem("body", .sendObject) }
        for list in Self.lists {
            guard let value = body.present(list) else { continue }
            guard value.kind == .array else {
                throw FieldProblem(list, .mustBeObjects)
            }
            let elements = Array(value.elements)
            guard elements.count <= limits.list else {
                throw FieldProblem(list, .mostElements, ["count": "\(limits.list)"])
            }
            counts[list] = elements.count
            guard counts.values.reduce(0, +) <= limits.all else {
                throw FieldProblem(list, .mostElementsInAll, ["count": "\(limits.all)"])
            }
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
                            problem: error
                        )
                    )
                }
            }
        }
        guard !counts.isEmpty else {
            throw FieldProblem("body", .nothingToTrack)
        }
        try checkUsers(limits)
    }

    private func checkUsers(_ limits: Limits) throws(FieldProblem) {
        guard items.count > limits.user else { return }
        var counts: [UserReference: Int] = [:]
        for item in items {
            let count = counts[item.user, default: 0] + 1
            counts[item.user] = count
            guard count <= limits.user else {
                throw FieldProblem("body", .mostElementsOfUser, ["count": "\(limits.user)"])
            }
        }
    }

    /// The events that the server itself stores, by their names in an export.
    private static let storedNames: Set<String> = [
        "$purchase", "$session_start", "$session_end", Uninstall.eventName,
    ]

    /// One element of a list: `attributes`, `events` or `purchases`.
    ///
    /// - Parameter isExport: Whether the element is a row of an export, in which purchases and
    ///   sessions are events.
    package static func item(
        _ element: JSONNode,
        _ list: String,
        _ now: Date,
        isExport: Bool = false
    ) throws(FieldProblem) -> IngestItem {
        guard element.kind == .object else { throw FieldProblem("", .mustBeObject) }
        if let flaw = element.flaw { throw FieldProblem(.request(flaw.path), flaw.reason) }
        if list == "attributes" {
            let attributes = try AttributeElement(element)
            let user =
                if let nobody = attributes.nobody { nobody } else {
                    try UserIdentifier.read(element)
                }
            return attributes.item(
                of: user,
                updatesExistingOnly: attributes.updatesExistingOnly ?? isAlias(user),
                now: now
            )
        }
        let user = try UserIdentifier.read(element)
        let existingOnly = try AttributeElement.flag("_update_existing_only", element)
        var recordID: UUID?
        if let id = element.present("id") {
            recordID = id.string.flatMap(UUID.init(uuidString:))
            guard recordID != nil else { throw FieldProblem("id", .optionalID) }
        }
        var item = IngestItem(
            recordID: recordID,
            user: user,
            updatesExistingOnly: existingOnly ?? isAlias(user),
            time: try time(element, now),
            content: try content(element, list, isExport)
        )
        if let app = element.present("app_id") {
            item.app = app.string
            if item.app == nil {
                item.leftOut.append(
                    FieldProblem("app_id", .mustBeString)
                )
            }
        }
        return item
    }

    /// A user named by an alias is created only if the request asks for it.
    private static func isAlias(_ user: UserReference) -> Bool {
        if case .alias = user { true } else { false }
    }

    private static func content(
        _ element: JSONNode,
        _ list: String,
        _ isExport: Bool
    ) throws(FieldProblem) -> IngestItem.Content {
        switch list {
        case "events":
            guard let name = element["name"]?.string else {
                throw FieldProblem("name", .requiredString)
            }
            if isExport, storedNames.contains(name) {
                return .storedEvent(name: name, properties: try FieldValidator.properties(element))
            }
            try FieldValidator.eventName(name)
            return .event(name: name, properties: try FieldValidator.properties(element))
        default: return try purchase(element)
        }
    }

    private static func purchase(
        _ element: JSONNode
    ) throws(FieldProblem) -> IngestItem.Content {
        guard let product = element["product_id"]?.string else {
            throw FieldProblem("product_id", .requiredString)
        }
        guard let currency = element["currency"]?.string else {
            throw FieldProblem("currency", .requiredString)
        }
        guard let price = element["price"]?.number?.doubleValue else {
            throw FieldProblem("price", .requiredNumber)
        }
        var quantity = 1
        if let pieces = element["quantity"] {
            guard let count = pieces.number?.integerValue.flatMap(Int.init(exactly:)) else {
                throw FieldProblem("quantity", .wholeNumberFrom, ["first": "1", "last": "100"])
            }
            quantity = count
        }
        try FieldValidator.purchase(product, currency, price, quantity)
        return .purchase(
            product: product,
            currency: currency.uppercased(),
            price: price,
            quantity: quantity,
            properties: try FieldValidator.properties(element)
        )
    }

    private static func time(_ element: JSONNode, _ now: Date) throws(FieldProblem) -> Date {
        guard let node = element["time"], node.kind == .string,
            let time = node.withBytes(Timestamp.parse) ?? node.string.flatMap(Timestamp.parse)
        else {
            throw FieldProblem("time", .requiredTimeSuchAs)
        }
        return min(time, now)
    }
}
