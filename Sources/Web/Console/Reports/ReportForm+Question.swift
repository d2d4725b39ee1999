import Foundation
import Model
import NoroshiWire
import Reports
import WebPages

/// Converts between the fields and a question in the terms of the REST API.
extension ReportForm {
    /// - Parameter segments: Those of the workspace, so that no other is asked for.
    /// - Returns: `nil` while too little is chosen.
    func question(_ kind: ReportKind, _ segments: [StoredSegment]) -> [String: JSONValue]? {
        var question: [String: JSONValue] = [
            "unit": .string(unit.rawValue), "length": .integer(Int64(length)),
        ]
        func id(_ number: String) -> JSONValue? {
            segments.first { "\($0.id)" == number }.map(Self.id)
        }
        question["segment_id"] = id(segment)
        switch kind {
        case .funnel:
            let steps = steps.compactMap(\.question)
            guard steps.count >= ReportLimits.steps.lowerBound else { return nil }
            question["steps"] = .array(steps.map(JSONValue.object))
            question["window_seconds"] = .integer(Int64(window * windowUnit.seconds))
            if var excluded = exclusion.activity.question, exclusion.before <= steps.count {
                excluded["after_step"] = .integer(Int64(exclusion.after))
                excluded["before_step"] = .integer(Int64(exclusion.before))
                question["exclusions"] = [.object(excluded)]
            }
            if !constant.isEmpty { question["hold_constant"] = .string(constant) }
        case .retention:
            guard let first = first.question, let returning = returning.question else {
                return nil
            }
            question["first"] = .object(first)
            question["returning"] = .object(returning)
            question["cohort"] = .string(cohort.rawValue)
            question["mode"] = .string(mode.rawValue)
            question["intervals"] = .integer(Int64(intervals))
        case .series:
            guard var series = figure.question else { return nil }
            if figure.choice == Self.revenue { series["currency"] = .string(currency) }
            if figure.choice == Self.newUsers { series["where"] = nil }
            question["series"] = .object(series)
            question["measure"] = .string(measure.rawValue)
            question["compare"] = .bool(isCompared)
        case .paths:
            guard let start = start.question else { return nil }
            question["start"] = .object(start)
            question["direction"] = .string(direction.rawValue)
            question["steps"] = .integer(Int64(pathLength))
            question["window_seconds"] = .integer(Int64(window * windowUnit.seconds))
            let leftOut = leftOut.compactMap { ReportActivityForm($0).question }
            if !leftOut.isEmpty { question["leave_out"] = .array(leftOut.map(JSONValue.object)) }
            return question
        case .controlGroup:
            guard let activity = figure.question, activity["new_users"] == nil,
                activity["revenue"] == nil
            else { return nil }
            question["activity"] = .object(activity)
            if activity["purchase"] != nil { question["currency"] = .string(currency) }
            return question
        case .saved: return nil
        }
        question["breakdown"] = breakdown(traitSegments.compactMap(id))
        return question
    }

    private static func id(_ segment: StoredSegment) -> JSONValue {
        .string(segment.apiID.uuidString.lowercased())
    }

    private func breakdown(_ segments: [JSONValue]) -> JSONValue? {
        switch trait {
        case .none: return nil
        case .platform, .app, .country, .language: return ["by": .string(trait.rawValue)]
        case .attribute, .customAttribute, .property:
            guard !traitName.isEmpty else { return nil }
            return ["by": .string(trait.rawValue), "name": .string(traitName)]
        case .segments:
            guard !segments.isEmpty else { return nil }
            return ["by": .string(trait.rawValue), "segments": .array(segments)]
        }
    }

    /// The fields of a saved question; what the form cannot show is left out.
    static func fields(
        of question: [String: JSONValue],
        _ segments: [StoredSegment]
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        func add(_ name: String, _ value: JSONValue?) {
            guard let value else { return }
            fields.append(
                (name: name, value: value.stringValue ?? value.integerValue.map { "\($0)" } ?? "")
            )
        }
        func add(_ name: String, segment value: JSONValue?) {
            let id = value?.stringValue.flatMap(UUID.init)
            if let found = segments.first(where: { $0.apiID == id }) {
                fields.append((name: name, value: "\(found.id)"))
            }
        }
        func add(_ name: String, activity value: JSONValue?) {
            guard let value else { return }
            fields += ReportActivityForm(question: value).fields(name)
        }
        add("unit", question["unit"])
        add("length", question["length"])
        add("segment", segment: question["segment_id"])
        add("by", question["breakdown"]?["by"])
        add("byName", question["breakdown"]?["name"])
        for id in question["breakdown"]?["segments"]?.arrayValue ?? [] {
            add("bySegment", segment: id)
        }
        for step in question["steps"]?.arrayValue ?? [] { add("step", activity: step) }
        add("start", activity: question["start"])
        add("direction", question["direction"])
        if let length = question["steps"]?.integerValue {
            fields.append((name: "pathLength", value: "\(length)"))
        }
        for activity in question["leave_out"]?.arrayValue ?? [] {
            fields.append(
                (name: "leaveOut", value: ReportActivityForm(question: activity).choice)
            )
        }
        if let seconds = question["window_seconds"]?.integerValue {
            let unit = WindowUnit.allCases.last { seconds % Int64($0.seconds) == 0 } ?? .minute
            fields.append((name: "window", value: "\(max(1, seconds / Int64(unit.seconds)))"))
            fields.append((name: "windowUnit", value: unit.rawValue))
        }
        let excluded = question["exclusions"]?.arrayValue?.first
        add("exclude", activity: excluded)
        add("excludeAfter", excluded?["after_step"])
        add("excludeBefore", excluded?["before_step"])
        add("constant", question["hold_constant"])
        for name in ["first", "returning"] { add(name, activity: question[name]) }
        for name in ["cohort", "mode", "intervals", "measure"] { add(name, question[name]) }
        add("figure", activity: question["series"] ?? question["activity"])
        add("currency", question["series"]?["currency"] ?? question["currency"])
        if question["compare"] == true { fields.append((name: "compare", value: "yes")) }
        return fields
    }
}
