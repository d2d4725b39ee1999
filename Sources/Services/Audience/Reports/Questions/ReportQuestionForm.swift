import Experiments
import Foundation
import Model
import NoroshiWire
import Reasons
import Reports
import Segments

/// What is asked of a report, in the terms of the REST API. What it refers to has been looked up.
package struct ReportQuestionForm: Sendable {
    /// Steps count from 1 for people.
    package static let stepNumbers = 1...ReportLimits.steps.upperBound
    private static let lifts = 0.001...10.0

    private let zone: TimeZone
    private let now: Date
    private let audience: SegmentQuery?
    private let segments: [UUID: SegmentID]

    /// - Parameters:
    ///   - zone: That of questions which name none.
    ///   - audience: Those that the question's `segment_id` and `audience` mean.
    ///   - segments: Those that may be named, by their identifiers.
    package init(
        zone: TimeZone,
        now: Date,
        audience: SegmentQuery?,
        segments: [UUID: SegmentID]
    ) {
        self.zone = zone
        self.now = now
        self.audience = audience
        self.segments = segments
    }

    /// A question, and what its parts are called.
    package struct Asked: Sendable {
        package var question: ReportQuestion
        package var breakdown: Breakdown
    }

    /// What a report is taken apart by, and what its segments are called.
    package struct Breakdown: Sendable {
        package var breakdown: ReportBreakdown?
        var segments: [SegmentID: String] = [:]

        package func name(of group: ReportGroup) -> String {
            switch group {
            case .value(let text): text
            case .segment(let id): segments[id] ?? ""
            case .missing, .other: ""
            }
        }
    }

    /// - Throws: `FieldProblem`.
    package func question(
        _ kind: ReportQuestion.Kind,
        _ body: RequestReader
    ) throws -> Asked {
        let breakdown = try breakdown(body)
        let part = breakdown.breakdown
        let question: ReportQuestion =
            switch kind {
            case .funnel: .funnel(try funnel(body, part))
            case .retention: .retention(try retention(body, part))
            case .series: .series(try series(body, part))
            case .paths: .paths(try paths(body))
            case .controlGroup: .controlGroup(try controlGroup(body))
            }
        return Asked(question: question, breakdown: breakdown)
    }

    /// The identifiers that a breakdown names, whether or not it may.
    static func segments(named body: RequestReader) -> [UUID] {
        let names = body.value("breakdown")?.objectValue?["segments"]?.arrayValue ?? []
        return names.prefix(ReportLimits.segments.upperBound).compactMap {
            $0.stringValue.flatMap(UUID.init(uuidString:))
        }
    }

    private func period(_ reader: RequestReader) throws -> ReportPeriod {
        var zone = zone
        if let name = try reader.string("time_zone") {
            guard let named = TimeZone(identifier: name) else {
                throw reader.problem("time_zone", .zoneName)
            }
            zone = named
        }
        let unit = try reader.choice("unit", ReportUnit.allCases) ?? .day
        guard let length = try reader.wholeNumber("length", unit.lengths) else {
            throw reader.problem("length", .unitsRequired)
        }
        var end = now
        if let text = try reader.string("ending_at") {
            guard let date = LocalDays(zone).parse(RequestReader.withPlusSign(text)) else {
                throw reader.problem("ending_at", .isTimeOrDate)
            }
            end = date
        }
        return ReportPeriod(unit, length: length, endingAt: end, in: zone)
    }

    // MARK: Activities

    /// The activity that an object describes.
    static func activity(_ reader: RequestReader) throws -> ReportActivity {
        let kinds = ["event", "purchase", "session"].filter { reader.value($0) != nil }
        guard let kind = kinds.first, kinds.count == 1 else {
            throw reader.problem("event", .occurrenceRequired)
        }
        let subject: ReportActivity.Subject
        switch kind {
        case "event": subject = .event(try reader.requiredString("event"))
        case "purchase":
            subject = .purchase(
                products: try reader.strings("purchase", limit: ReportLimits.products)
            )
        default:
            guard try reader.flag("session") == true else {
                throw reader.problem("session", .isTrue)
            }
            subject = .session
        }
        return ReportActivity(subject, properties: try properties(reader))
    }

    /// The conditions on properties, which are those of segments.
    static func properties(
        _ reader: RequestReader
    ) throws -> [ActivityCondition.Property] {
        let conditions = try reader.list("where", limit: ReportLimits.properties)
        guard !conditions.isEmpty else { return [] }
        do throws(SegmentError) {
            return try condition(where: .array(conditions)).properties
        } catch {
            let place = error.pointer.split(separator: "/").joined(separator: ".")
            throw reader.problem(place.isEmpty ? "where" : place, error.reason)
        }
    }

    private static func condition(
        where conditions: JSONValue
    ) throws(SegmentError) -> ActivityCondition {
        let rule = try rule([
            "event": "any", "where": conditions, "measure": "count", "is": ">=", "value": 1,
        ])
        guard case .condition(.activity(let condition)) = rule else {
            throw SegmentError(pointer: "/where", .arrayNeeded)
        }
        return condition
    }

    private static func rule(_ value: JSONValue) throws(SegmentError) -> SegmentRule {
        do {
            return try SegmentJSON.decode(try JSONEncoder().encode(value))
        } catch let problem as SegmentError {
            throw problem
        } catch {
            throw SegmentError(.notJSON, ["text": "\(error)"])
        }
    }

    /// The path of a property.
    static func property(
        _ reader: RequestReader,
        _ field: String
    ) throws -> AttributePath? {
        guard let text = try reader.string(field) else { return nil }
        do throws(SegmentError) {
            return try condition(where: [["property": .string(text), "test": "exists"]])
                .properties.first?.path
        } catch {
            throw reader.problem(field, .noPropertyPath, ["reason": .reason(error.reason)])
        }
    }

    private static func attribute(
        _ reader: RequestReader,
        _ field: String
    ) throws -> AttributePath {
        let text = try reader.requiredString(field)
        do throws(SegmentError) {
            let rule = try rule(["custom": .string(text), "test": "exists"])
            if case .condition(.attribute(.custom(let path), _)) = rule { return path }
            throw SegmentError(.nameNeeded)
        } catch {
            throw reader.problem(field, .noAttributePath, ["reason": .reason(error.reason)])
        }
    }

    // MARK: Breakdown

    package enum Trait: String, CaseIterable {
        case platform, app, country, language, attribute, property, segments
        case customAttribute = "custom_attribute"
    }

    func breakdown(_ outer: RequestReader) throws -> Breakdown {
        guard let value = outer.value("breakdown") else { return Breakdown() }
        let reader = try RequestReader(value, path: outer.name("breakdown"))
        guard let by = try reader.choice("by", Trait.allCases) else {
            throw reader.problem("by", .required)
        }
        var found = Breakdown()
        let trait: ReportBreakdown.Trait
        switch by {
        case .platform: trait = .platform
        case .app: trait = .app
        case .country: trait = .attribute(.standard(.country))
        case .language: trait = .attribute(.standard(.language))
        case .attribute:
            let name = try reader.requiredString("name")
            guard let attribute = Segments.StandardAttribute(rawValue: name) else {
                throw reader.problem("name", .noStandardAttribute)
            }
            trait = .attribute(.standard(attribute))
        case .customAttribute: trait = .attribute(.custom(try Self.attribute(reader, "name")))
        case .property:
            guard let path = try Self.property(reader, "name") else {
                throw reader.problem("name", .required)
            }
            trait = .property(path)
        case .segments:
            let ids = try reader.strings("segments", limit: ReportLimits.segments.upperBound)
            var named: [SegmentID] = []
            for (number, id) in ids.enumerated() {
                guard let uuid = UUID(uuidString: id), let segment = segments[uuid] else {
                    throw reader.problem("segments.\(number)", .noListedSegment)
                }
                // Named twice it is one part.
                if found.segments[segment] == nil { named.append(segment) }
                found.segments[segment] = uuid.uuidString.lowercased()
            }
            trait = .segments(named)
        }
        let limit = try reader.wholeNumber("limit", ReportLimits.values)
        found.breakdown = ReportBreakdown(trait, limit: limit ?? ReportLimits.usualValues)
        return found
    }

    // MARK: Questions

    private func funnel(
        _ body: RequestReader,
        _ breakdown: ReportBreakdown?
    ) throws -> FunnelQuestion {
        guard let window = try body.wholeNumber("window_seconds", 1...ReportLimits.longestWindow)
        else { throw body.problem("window_seconds", .required) }
        return FunnelQuestion(
            period: try period(body),
            steps: try body.objects("steps", limit: ReportLimits.steps.upperBound)
                .map(Self.activity),
            window: window,
            exclusions: try body.objects("exclusions", limit: ReportLimits.exclusions)
                .map(Self.exclusion),
            constant: try Self.property(body, "hold_constant"),
            audience: audience,
            breakdown: breakdown
        )
    }

    /// Steps count from 1 for people.
    private static func exclusion(
        _ reader: RequestReader
    ) throws -> FunnelQuestion.Exclusion {
        guard let after = try reader.wholeNumber("after_step", Self.stepNumbers) else {
            throw reader.problem("after_step", .required)
        }
        guard let before = try reader.wholeNumber("before_step", Self.stepNumbers) else {
            throw reader.problem("before_step", .required)
        }
        return FunnelQuestion.Exclusion(
            try Self.activity(reader),
            after: after - 1,
            before: before - 1
        )
    }

    private func retention(
        _ body: RequestReader,
        _ breakdown: ReportBreakdown?
    ) throws -> RetentionQuestion {
        guard let intervals = try body.wholeNumber("intervals", ReportLimits.retentionIntervals)
        else { throw body.problem("intervals", .required) }
        let cohort = try body.choice("cohort", RetentionQuestion.Cohort.allCases)
        let mode = try body.choice("mode", RetentionQuestion.Mode.allCases)
        return RetentionQuestion(
            period: try period(body),
            cohort: cohort ?? .first,
            mode: mode ?? .nDay,
            intervals: intervals,
            first: try Self.required("first", body),
            returning: try Self.required("returning", body),
            audience: audience,
            breakdown: breakdown
        )
    }

    private static func required(
        _ field: String,
        _ body: RequestReader
    ) throws -> ReportActivity {
        guard let value = body.value(field) else { throw body.problem(field, .required) }
        return try activity(try RequestReader(value, path: body.name(field)))
    }

    private func series(
        _ body: RequestReader,
        _ breakdown: ReportBreakdown?
    ) throws -> SeriesQuestion {
        let measure = try body.choice("measure", SeriesQuestion.Measure.allCases)
        guard let value = body.value("series") else { throw body.problem("series", .required) }
        return SeriesQuestion(
            period: try period(body),
            figure: try Self.figure(try RequestReader(value, path: body.name("series"))),
            measure: measure ?? .total,
            isCompared: try body.flag("compare") ?? false,
            audience: audience,
            breakdown: breakdown
        )
    }

    private static func figure(_ reader: RequestReader) throws -> SeriesQuestion.Figure {
        if try reader.flag("new_users") == true { return .newUsers }
        guard reader.value("revenue") != nil else {
            return .activity(try Self.activity(reader))
        }
        let currency = try reader.requiredString("currency").uppercased()
        try check(currency)
        let purchases = ReportActivity(
            .purchase(products: try reader.strings("revenue", limit: ReportLimits.products)),
            properties: try Self.properties(reader)
        )
        return .revenue(purchases, currency: currency)
    }

    private func paths(_ body: RequestReader) throws -> PathsQuestion {
        guard let length = try body.wholeNumber("steps", ReportLimits.pathSteps) else {
            throw body.problem("steps", .required)
        }
        guard let window = try body.wholeNumber("window_seconds", 1...ReportLimits.longestWindow)
        else { throw body.problem("window_seconds", .required) }
        let direction = try body.choice("direction", PathsQuestion.Direction.allCases)
        let limit = try body.wholeNumber("limit", ReportLimits.values)
        return PathsQuestion(
            period: try period(body),
            direction: direction ?? .after,
            start: try Self.required("start", body),
            length: length,
            window: window,
            leftOut: try body.objects("leave_out", limit: ReportLimits.pathExceptions)
                .map(Self.activity),
            audience: audience,
            limit: limit ?? ReportLimits.usualPathKinds
        )
    }

    private func controlGroup(_ body: RequestReader) throws -> ControlGroupQuestion {
        let currency = try body.string("currency")?.uppercased()
        if let currency { try Self.check(currency) }
        return ControlGroupQuestion(
            period: try period(body),
            activity: try Self.required("activity", body),
            currency: currency,
            audience: audience,
            smallestLift: try Self.lift(body) ?? Experiment.usualLift
        )
    }

    private static func lift(_ body: RequestReader) throws -> Double? {
        guard let value = body.value("smallest_lift") else { return nil }
        guard let lift = value.doubleValue, Self.lifts.contains(lift) else {
            throw body.problem(
                "smallest_lift",
                Reason(
                    FieldReason.number,
                    ["first": "\(Self.lifts.lowerBound)", "last": "\(Self.lifts.upperBound)"]
                )
            )
        }
        return lift
    }

    private static func check(_ currency: String) throws(FieldProblem) {
        guard currency.count == 3, currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw FieldProblem("currency", .currencyCode)
        }
    }
}
