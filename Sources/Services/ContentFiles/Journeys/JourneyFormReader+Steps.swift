import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// Reads the steps of a journey.
extension JourneyFormReader {
    private enum Kind: String, CaseIterable {
        case push, update, webhook, wait, branch, split, jump, exit
        case inAppMessage = "in_app_message"
        case waitForTime = "wait_for_time"
        case waitForEvent = "wait_for_event"
        case waitForMatch = "wait_for_match"
        case waitForQuietHours = "wait_for_quiet_hours"
        case enterJourney = "enter_journey"

        /// The fields besides `id`, `name` and `type`.
        var fields: [String] {
            switch self {
            case .push: ["variants", "control_share", "next"]
            case .update: ["attributes", "lists", "next"]
            case .webhook: ["method", "url", "headers", "body", "next"]
            case .wait: ["duration", "next"]
            case .branch: ["paths", "next"]
            case .split: ["shares"]
            case .jump, .waitForQuietHours: ["next"]
            case .exit: []
            case .inAppMessage: ["in_app_message", "duration", "next"]
            case .waitForTime: ["time", "weekdays", "next"]
            case .waitForEvent: ["event", "limit", "late", "next"]
            case .waitForMatch: ["segment", "limit", "late", "next"]
            case .enterJourney: ["journey", "next"]
            }
        }
    }

    func step(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        at index: Int,
        following: @autoclosure () throws(FieldProblem) -> JourneyStepID?
    ) throws -> JourneyStep {
        let field = "steps.\(index)"
        guard let kind = try reader.choice("type", Kind.allCases) else {
            throw reader.problem("type", .isMissing)
        }
        try Self.requireKnown(form, ["id", "name", "type"] + kind.fields, field)
        var next: JourneyStepID?
        if kind.fields.contains("next") {
            next = try reader.value("next") == nil ? following() : target("next", reader)
        }
        return JourneyStep(
            id: try Self.id(reader),
            name: try Self.text("name", reader) ?? "",
            kind: try self.kind(kind, reader, form, field),
            next: next
        )
    }

    private func kind(
        _ kind: Kind,
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyStepKind {
        switch kind {
        case .push: return .push(try push(reader, form, field))
        case .inAppMessage:
            return .inAppMessage(
                JourneyInAppMessage(
                    message: try here.inAppMessage(
                        try reader.requiredString("in_app_message"),
                        field: reader.name("in_app_message")
                    ),
                    duration: try Self.seconds("duration", reader) ?? 7 * 86_400
                )
            )
        case .update: return .update(try update(reader, form, field))
        case .webhook: return .webhook(try webhook(reader, form, field))
        case .wait:
            return .wait(.duration(try Self.requiredSeconds("duration", reader)))
        case .waitForTime: return .wait(.clock(try clock(reader)))
        case .waitForEvent:
            return .wait(
                .event(
                    try Self.event(form["event"], "\(field).event"),
                    limit: try Self.requiredSeconds("limit", reader),
                    late: try target("late", reader)
                )
            )
        case .waitForMatch:
            return .wait(
                .match(
                    try here.query(form["segment"], field: "\(field).segment"),
                    limit: try Self.requiredSeconds("limit", reader),
                    late: try target("late", reader)
                )
            )
        case .waitForQuietHours: return .wait(.quietHours)
        case .branch:
            return .branch(
                try reader.objects("paths", limit: .max).enumerated().map {
                    let inner = form["paths"]?.arrayValue?[$0].objectValue ?? [:]
                    return try path($1, inner, "\(field).paths.\($0)")
                }
            )
        case .split:
            return .split(
                try reader.objects("shares", limit: .max).enumerated().map {
                    let inner = form["shares"]?.arrayValue?[$0].objectValue ?? [:]
                    return try share($1, inner, "\(field).shares.\($0)")
                }
            )
        case .jump: return .jump
        case .enterJourney:
            return .enterJourney(
                try here.journey(
                    try reader.requiredString("journey"),
                    field: reader.name("journey")
                )
            )
        case .exit: return .exit
        }
    }

    private func push(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyPush {
        var content: CampaignContent
        do {
            content = try CampaignForm.content(["name": "", "variants": form["variants"] ?? []])
            content = try content.changingMessages { try here.message($0, field: $1) }
        } catch let problem as FieldProblem {
            throw problem.within(field)
        }
        return JourneyPush(
            variants: content.variants,
            controlShare: try Self.wholeNumber("control_share", 0...99, reader) ?? 0
        )
    }

    private func update(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyUpdate {
        var update = JourneyUpdate(attributes: try reader.object("attributes"))
        guard reader.value("lists") != nil else { return update }
        let lists = try RequestReader(.object(try reader.object("lists")), path: "\(field).lists")
        try Self.requireKnown(try reader.object("lists"), ["add", "remove"], "\(field).lists")
        func read(_ name: String) throws -> [UserListID] {
            try lists.strings(name, limit: .max).enumerated().map {
                try here.list($1, field: lists.name("\(name).\($0)"))
            }
        }
        update.addToLists = try read("add")
        update.removeFromLists = try read("remove")
        return update
    }

    private func webhook(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyWebhook {
        var headers: [String: String] = [:]
        for (name, value) in try reader.object("headers") {
            guard let text = value.stringValue else {
                throw FieldProblem("\(field).headers.\(name)", .isText)
            }
            headers[name] = text
        }
        return JourneyWebhook(
            method: try reader.choice("method", JourneyWebhook.Method.allCases) ?? .post,
            url: try reader.requiredString("url"),
            headers: headers,
            body: try Self.text("body", reader) ?? ""
        )
    }

    private func clock(_ reader: RequestReader) throws -> JourneyClockTime {
        guard let time = TimeOfDay(try reader.requiredString("time")) else {
            throw reader.problem("time", .isTimeOfDay)
        }
        var weekdays: Set<Int> = []
        for (index, value) in try reader.list("weekdays", limit: .max).enumerated() {
            guard let day = value.integerValue.flatMap(Int.init(exactly:)), (1...7).contains(day)
            else {
                throw reader.problem(
                    "weekdays.\(index)",
                    .wholeNumberFrom,
                    ["first": "1", "last": "7"]
                )
            }
            weekdays.insert(day)
        }
        return JourneyClockTime(time: time, weekdays: weekdays)
    }

    private func path(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyPath {
        try Self.requireKnown(form, ["name", "segment", "conditions", "next"], field)
        let condition: JourneyCondition
        switch (form["segment"], form["conditions"]) {
        case (let query?, nil):
            condition = .segment(try here.query(query, field: "\(field).segment"))
        case (nil, let conditions?):
            condition = .properties(
                try ReadableForm.read(
                    Self.withoutValue(conditions),
                    as: [PropertyCondition].self,
                    field: "\(field).conditions"
                )
            )
        default: throw Self.either("segment, conditions", field)
        }
        return JourneyPath(
            name: try Self.text("name", reader) ?? "",
            condition: condition,
            next: try target("next", reader)
        )
    }

    private func share(
        _ reader: RequestReader,
        _ form: [String: JSONValue],
        _ field: String
    ) throws -> JourneyShare {
        try Self.requireKnown(form, ["name", "weight", "is_control", "next"], field)
        return JourneyShare(
            name: try Self.text("name", reader) ?? "",
            weight: try Self.wholeNumber("weight", 0...1_000, reader) ?? 1,
            isControl: try reader.flag("is_control") ?? false,
            next: try target("next", reader)
        )
    }
}
