import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// Reads a journey in the form of files and requests.
struct JourneyFormReader {
    static let fields = [
        "name", "note", "tags", "entry", "audience", "reentry", "exits", "goal", "ends_at_goal",
        "is_exempt_from_caps", "quiet_hours", "steps",
    ]

    let here: ContentReferencesHere
    /// What the texts of the form call the steps.
    private var steps: [String: JourneyStepID] = [:]

    init(_ here: ContentReferencesHere) {
        self.here = here
    }

    /// - Throws: `FieldProblem`.
    mutating func definition(_ members: [String: JSONValue]) throws -> JourneyDefinition {
        let reader = try RequestReader(.object(members))
        try Self.requireKnown(members, Self.fields, "")
        guard reader.value("entry") != nil else { throw FieldProblem("entry", .isMissing) }
        let elements = try reader.objects("steps", limit: .max)
        let forms = members["steps"]?.arrayValue ?? []
        try nameSteps(elements)
        var definition = JourneyDefinition(
            name: try Self.text("name", reader) ?? "",
            entry: try entry(try Self.object("entry", in: members))
        )
        definition.note = try Self.text("note", reader) ?? ""
        definition.tags = try reader.strings("tags", limit: .max)
        if let form = reader.value("audience") {
            definition.audience = try here.query(form, field: "audience")
        }
        definition.reentry = try Self.reentry(reader)
        for index in try reader.objects("exits", limit: .max).indices {
            let form = members["exits"]?.arrayValue?[index].objectValue ?? [:]
            definition.exits.append(try exit(form, "exits.\(index)"))
        }
        definition.goal = try GoalForm.goal(in: members)
        definition.endsAtGoal = try reader.flag("ends_at_goal") ?? false
        definition.isExemptFromCaps = try reader.flag("is_exempt_from_caps") ?? false
        definition.quietHours =
            try reader.choice("quiet_hours", QuietHoursHandling.allCases) ?? .delay
        for (index, element) in elements.enumerated() {
            definition.steps.append(
                try step(
                    element,
                    forms[index].objectValue ?? [:],
                    at: index,
                    following: index + 1 < elements.count
                        ? Self.id(elements[index + 1]) : nil
                )
            )
        }
        return definition
    }

    // MARK: Names of steps

    private mutating func nameSteps(_ elements: [RequestReader]) throws(FieldProblem) {
        var names: [String: [JourneyStepID]] = [:]
        for element in elements {
            let id = try Self.id(element)
            steps[id.description] = id
            if let name = try Self.text("name", element), JourneyForm.isName(name) {
                names[name, default: []].append(id)
            }
        }
        for (name, ids) in names where ids.count == 1 { steps[name] = ids[0] }
    }

    static func id(_ element: RequestReader) throws(FieldProblem) -> JourneyStepID {
        guard let id = UUID(uuidString: try element.requiredString("id")) else {
            throw element.problem("id", .mustBeUUID)
        }
        return JourneyStepID(id)
    }

    func target(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> JourneyStepID? {
        guard let text = try reader.string(field), text != JourneyForm.end else { return nil }
        if let id = steps[text] { return id }
        // A draft may lead to a step that is still to be added.
        if let id = UUID(uuidString: text) { return JourneyStepID(id) }
        throw FieldProblem(
            .request(reader.name(field)),
            Reason(ContentFileReason.noStepNamed, ["name": .text(text)])
        )
    }

    // MARK: Rules

    private func entry(_ form: [String: JSONValue]) throws -> JourneyEntryRule {
        enum Kind: String, CaseIterable {
            case event, members, entering, api, journey
        }
        let reader = try RequestReader(.object(form), path: "entry")
        guard let kind = try reader.choice("type", Kind.allCases) else {
            throw reader.problem("type", .isMissing)
        }
        switch kind {
        case .event:
            try Self.requireKnown(form, ["type", "event"], "entry")
            return .event(try Self.event(form["event"], "entry.event"))
        case .members:
            try Self.requireKnown(form, ["type", "segment", "at"], "entry")
            return .members(
                try here.query(form["segment"], field: "entry.segment"),
                at: try reader.time("at")
            )
        case .entering:
            try Self.requireKnown(form, ["type", "segment"], "entry")
            return .entering(try here.query(form["segment"], field: "entry.segment"))
        case .api, .journey:
            try Self.requireKnown(form, ["type"], "entry")
            return kind == .api ? .api : .journey
        }
    }

    private static func reentry(_ reader: RequestReader) throws -> Reeligibility {
        guard let form = reader.value("reentry"), form != "never" else { return .never }
        let inner = try RequestReader(form, path: "reentry")
        try requireKnown(form.objectValue ?? [:], ["after"], "reentry")
        guard let pause = try seconds("after", inner) else {
            throw inner.problem("after", .isMissing)
        }
        return .after(pause)
    }

    private func exit(
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyExitRule {
        try Self.requireKnown(form, ["event", "segment"], field)
        switch (form["event"], form["segment"]) {
        case (let event?, nil): return .event(try Self.event(event, "\(field).event"))
        case (nil, let query?): return .segment(try here.query(query, field: "\(field).segment"))
        default: throw Self.either("event, segment", field)
        }
    }

    static func event(_ form: JSONValue?, _ field: String) throws -> EventMatch {
        guard let form, form != .null else { throw FieldProblem(field, .isMissing) }
        guard case .object(var members) = form else { throw FieldProblem(field, .isObject) }
        members["conditions"] = members["conditions"] ?? []
        return try ReadableForm.read(
            .object(members.mapValues(withoutValue)),
            as: EventMatch.self,
            field: field
        )
    }

    /// Conditions of existence need no value.
    static func withoutValue(_ value: JSONValue) -> JSONValue {
        guard case .array(let conditions) = value else { return value }
        return .array(
            conditions.map {
                guard case .object(var condition) = $0 else { return $0 }
                condition["value"] = condition["value"] ?? .null
                return .object(condition)
            }
        )
    }

    // MARK: Values

    /// A text that may be empty.
    static func text(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> String? {
        guard let value = reader.value(field) else { return nil }
        guard let text = value.stringValue else { throw reader.problem(field, .isText) }
        return text
    }

    static func seconds(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> TimeInterval? {
        guard let value = reader.value(field) else { return nil }
        guard let number = value.doubleValue, number.isFinite else {
            throw reader.problem(field, .numberFromOn, ["first": "0"])
        }
        return number
    }

    /// A number is a number here, as in every form that is written and read back.
    static func wholeNumber(
        _ field: String,
        _ range: ClosedRange<Int>,
        _ reader: RequestReader
    ) throws(FieldProblem) -> Int? {
        if reader.value(field)?.stringValue != nil {
            throw reader.problem(
                field,
                .wholeNumberFrom,
                ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
            )
        }
        return try reader.wholeNumber(field, range)
    }

    static func requiredSeconds(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> TimeInterval {
        guard let seconds = try seconds(field, reader) else {
            throw reader.problem(field, .isMissing)
        }
        return seconds
    }

    static func object(
        _ field: String,
        in members: [String: JSONValue]
    ) throws(FieldProblem) -> [String: JSONValue] {
        guard let object = members[field]?.objectValue else { throw FieldProblem(field, .isObject) }
        return object
    }

    static func requireKnown(
        _ members: [String: JSONValue],
        _ known: [String],
        _ field: String
    ) throws(FieldProblem) {
        let unknown = members.keys.sorted().first {
            !known.contains($0) && members[$0] != .some(.null)
        }
        if let unknown {
            throw ReadableForm.unknown(ReadableForm.joined(field, unknown), among: known)
        }
    }

    static func either(_ names: String, _ field: String) -> FieldProblem {
        FieldProblem(.request(field), Reason(EndpointReason.exactlyOneOf, ["known": .text(names)]))
    }
}
