import Audience
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons
import Reports
import Segments

/// Reads what a request asks of a report. Whether it may be asked says the question's own check.
struct ReportReader {
    let reports: ReportService
    let segments: SegmentService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    /// What a report is taken apart by, and what its segments are called.
    struct Breakdown {
        var breakdown: ReportBreakdown?
        var segments: [SegmentID: String] = [:]

        func name(of group: ReportGroup) -> String {
            switch group {
            case .value(let text): text
            case .segment(let id): segments[id] ?? ""
            case .missing, .other: ""
            }
        }
    }

    func period(
        _ reader: RequestReader,
        in workspace: WorkspaceID,
        usually unit: ReportUnit = .day
    ) async throws -> ReportPeriod {
        var zone = try await reports.zone(of: workspace)
        if let name = try reader.string("time_zone") {
            guard let named = TimeZone(identifier: name) else {
                throw reader.problem("time_zone", .zoneName)
            }
            zone = named
        }
        let unit = try Self.choice(reader, "unit", ReportUnit.allCases) ?? unit
        guard let length = try reader.wholeNumber("length", unit.lengths) else {
            throw reader.problem("length", .unitsRequired)
        }
        var end = now()
        if let text = try reader.string("ending_at") {
            guard let date = LocalDays(zone).parse(RequestReader.withPlusSign(text)) else {
                throw reader.problem("ending_at", .isTimeOrDate)
            }
            end = date
        }
        return ReportPeriod(unit, length: length, endingAt: end, in: zone)
    }

    func audience(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery? {
        try await AudienceRequestReader(segments: segments, audience: audience)
            .query(reader, in: workspace)
    }

    static func choice<Choice: RawRepresentable<String>>(
        _ reader: RequestReader,
        _ field: String,
        _ choices: [Choice]
    ) throws(FieldProblem) -> Choice? {
        guard let text = try reader.string(field) else { return nil }
        guard let choice = choices.first(where: { $0.rawValue == text }) else {
            let names = choices.map(\.rawValue).joined(separator: ", ")
            throw reader.problem(field, .isOneOf, ["known": .text(names)])
        }
        return choice
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
        do throws(SegmentProblem) {
            return try condition(where: .array(conditions)).properties
        } catch {
            let place = error.pointer.split(separator: "/").joined(separator: ".")
            throw reader.problem(place.isEmpty ? "where" : place, error.reason)
        }
    }

    private static func condition(
        where conditions: JSONValue
    ) throws(SegmentProblem) -> ActivityCondition {
        let rule = try rule([
            "event": "any", "where": conditions, "measure": "count", "is": ">=", "value": 1,
        ])
        guard case .condition(.activity(let condition)) = rule else {
            throw SegmentProblem(pointer: "/where", .arrayNeeded)
        }
        return condition
    }

    private static func rule(_ value: JSONValue) throws(SegmentProblem) -> SegmentRule {
        do {
            return try SegmentJSON.decode(try JSONEncoder().encode(value))
        } catch let problem as SegmentProblem {
            throw problem
        } catch {
            throw SegmentProblem(.notJSON, ["text": "\(error)"])
        }
    }

    /// The path of a property.
    static func property(
        _ reader: RequestReader,
        _ field: String
    ) throws -> AttributePath? {
        guard let text = try reader.string(field) else { return nil }
        do throws(SegmentProblem) {
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
        do throws(SegmentProblem) {
            let rule = try rule(["custom": .string(text), "test": "exists"])
            if case .condition(.attribute(.custom(let path), _)) = rule { return path }
            throw SegmentProblem(.nameNeeded)
        } catch {
            throw reader.problem(field, .noAttributePath, ["reason": .reason(error.reason)])
        }
    }

    // MARK: Breakdown

    enum Trait: String, CaseIterable {
        case platform, app, country, language, attribute, property, segments
        case customAttribute = "custom_attribute"
    }

    func breakdown(
        _ outer: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> Breakdown {
        guard let value = outer.value("breakdown") else { return Breakdown() }
        let reader = try RequestReader(value, path: "breakdown")
        guard let by = try Self.choice(reader, "by", Trait.allCases) else {
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
                guard let uuid = UUID(uuidString: id),
                    let segment = try await segments.segment(apiID: uuid, in: workspace)
                else {
                    throw reader.problem("segments.\(number)", .noListedSegment)
                }
                // Named twice it is one part.
                if found.segments[segment.id] == nil { named.append(segment.id) }
                found.segments[segment.id] = segment.apiID.uuidString.lowercased()
            }
            trait = .segments(named)
        }
        let limit = try reader.wholeNumber("limit", ReportLimits.values)
        found.breakdown = ReportBreakdown(trait, limit: limit ?? ReportLimits.usualValues)
        return found
    }
}
