import Audience
import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons
import Segments

/// Resolves the references of a file in the target workspace to the numbers of existing rows, or of
/// rows that the file itself creates.
struct ContentReferencesHere {
    /// By identifier.
    var segments: [UUID: Int64] = [:]
    var campaigns: [UUID: Int64] = [:]
    var news: [UUID: Int64] = [:]
    /// By name, in lowercase.
    var lists: [String: Int64] = [:]
    var named = NamedRows()
    /// Pushes without a campaign have no name that another server knows; those that existing
    /// filters use may also appear in the file.
    var pushes: Set<String> = []

    /// The filter with the numbers of rows.
    ///
    /// - Throws: `FieldProblem` that names a missing object.
    func rule(_ form: JSONValue, field: String) throws -> SegmentRule {
        let rule: SegmentRule
        do throws(SegmentError) {
            rule = try SegmentJSON.decode(Data(JSONWriter.text(form).utf8))
        } catch {
            throw Self.problem(error, field)
        }
        var unknown: (code: ContentFileReason, name: String)?
        let resolved = rule.mappingReferences(
            segment: { id in
                let found = UUID(uuidString: id).flatMap { segments[$0] } ?? named.segments[id]
                if let found { return String(found) }
                unknown = unknown ?? (named.segments.problem(with: id) ?? .segmentMissing, id)
                return id
            },
            list: { name in
                if let number = lists[name.lowercased()] { return String(number) }
                unknown = unknown ?? (.listMissing, name)
                return name
            },
            campaign: { id in
                let found = UUID(uuidString: id).flatMap { campaigns[$0] } ?? named.campaigns[id]
                if let found { return String(found) }
                if !pushes.contains(id) {
                    unknown =
                        unknown ?? (named.campaigns.problem(with: id) ?? .campaignMissing, id)
                }
                return id
            }
        )
        if let unknown {
            throw FieldProblem(field, unknown.code, ["name": .text(unknown.name)])
        }
        return resolved
    }

    static func problem(_ problem: SegmentError, _ field: String) -> FieldProblem {
        let pointer = problem.pointer.split(separator: "/").joined(separator: ".")
        return FieldProblem(.request(ReadableForm.joined(field, pointer)), problem.reason)
    }

    /// Records the pushes that a stored filter uses.
    mutating func note(_ definition: String) {
        guard let rule = try? SegmentJSON.decode(Data(definition.utf8)) else { return }
        var found: Set<String> = []
        _ = rule.mappingReferences(
            segment: { $0 },
            list: { $0 },
            campaign: {
                if $0.hasPrefix("push ") { found.insert($0) }
                return $0
            }
        )
        pushes.formUnion(found)
    }

    /// - Throws: `FieldProblem`.
    func query(_ form: JSONValue?, field: String) throws -> SegmentQuery {
        guard let form, form != .null else { return SegmentQuery() }
        guard case .object(let members) = form else { throw FieldProblem(field, .isObject) }
        let known = ["segments", "filter"]
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw ReadableForm.unknown("\(field).\(name)", among: known)
        }
        var query = SegmentQuery()
        let names = members["segments"] ?? []
        for (index, value) in (names.arrayValue ?? [names]).enumerated() {
            let name = value.stringValue ?? ""
            let number = UUID(uuidString: name).flatMap { segments[$0] } ?? named.segments[name]
            guard let number else {
                let code = named.segments.problem(with: name)
                throw FieldProblem(
                    "\(field).segments.\(index)",
                    code ?? .noSegmentHere,
                    code == nil ? [:] : ["name": .text(name)]
                )
            }
            query.segments.append(SegmentID(number))
        }
        if let filter = members["filter"], filter != .null {
            let rule = try rule(filter, field: "\(field).filter")
            query.filter = String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
        }
        return query
    }

    // MARK: What reports name

    /// A question with the identifiers of its segments.
    ///
    /// - Throws: `FieldProblem`.
    func question(
        _ question: [String: JSONValue],
        field: String
    ) throws -> [String: JSONValue] {
        var missing: String?
        let found = question.mappingSegments { name in
            let id =
                UUID(uuidString: name).flatMap { segments[$0] == nil ? nil : $0 }
                ?? named.segments[name].flatMap { number in
                    segments.first { $0.value == number }?.key
                }
            if id == nil { missing = missing ?? name }
            return id.map(ContentWriter.text) ?? name
        }
        guard let missing else { return found }
        throw FieldProblem(
            field,
            named.segments.problem(with: missing) ?? .segmentMissing,
            ["name": .text(missing)]
        )
    }

    // MARK: What journeys name

    /// - Throws: `FieldProblem`.
    func list(_ name: String, field: String) throws(FieldProblem) -> UserListID {
        guard let number = lists[name.lowercased()] else {
            throw FieldProblem(field, .listMissing, ["name": .text(name)])
        }
        return UserListID(number)
    }

    /// An identifier need not be known: nothing is shown before it is.
    ///
    /// - Throws: `FieldProblem`.
    func inAppMessage(_ name: String, field: String) throws(FieldProblem) -> UUID {
        try named.inAppMessages.identifier(name, field)
    }

    /// An identifier need not be known: nobody enters before it is.
    ///
    /// - Throws: `FieldProblem`.
    func journey(_ name: String, field: String) throws(FieldProblem) -> UUID {
        try named.journeys.identifier(name, field)
    }

    /// The message with the number of its news item.
    ///
    /// - Throws: `FieldProblem`.
    func message(_ message: PushMessage, field: String) throws -> PushMessage {
        guard let reference = message.news else { return message }
        var message = message
        if let id = UUID(uuidString: reference.id) {
            guard let number = news[id] else {
                throw FieldProblem("\(field).news.id", .noNews)
            }
            message.news?.id = String(number)
        } else if Int64(reference.id) != nil {
            throw FieldProblem("\(field).news.id", .newsNumber)
        }
        return message
    }
}
