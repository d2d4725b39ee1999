import Audience
import ContentFiles
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads an in-app message of a request: the format for devices, without its identifier.
struct InAppMessageReader {
    let segments: SegmentService

    /// Applies the fields that a request contains.
    func read(_ reader: RequestReader, into stored: inout InAppMessageDefinition) async throws {
        if let name = try reader.string("name") { stored.name = name }
        if let text = try reader.string("state") {
            guard let state = InAppMessageDefinition.State(rawValue: text) else {
                let names = InAppMessageDefinition.State.allCases.map(\.rawValue)
                throw reader.problem(
                    "state",
                    .isOneOf,
                    ["known": .text(names.joined(separator: ", "))]
                )
            }
            stored.state = state
        }
        if reader.isNull("segment_id") {
            stored.audience = SegmentQuery()
        } else if let text = try reader.string("segment_id") {
            let segment = try await SegmentReference(segments: segments).segment(
                text,
                stored.workspace
            )
            stored.audience = SegmentQuery(segments: [segment.id])
        }
        if let value = reader.value("message") {
            stored.message = try Self.message(value, id: stored.id)
        }
        if reader.isNull("experiment") {
            stored.experiment = InAppExperiment()
        } else if let value = reader.value("experiment") {
            stored.experiment = try Self.experiment(value, of: stored)
        }
        if reader.isNull("goal") {
            stored.goal = nil
        } else if let value = reader.value("goal") {
            stored.goal = try GoalForm.goal(in: ["goal": value])
        }
    }

    /// Reads the alternatives of a message; they share the rules of the message.
    private static func experiment(
        _ value: JSONValue,
        of stored: InAppMessageDefinition
    ) throws -> InAppExperiment {
        guard let object = value.objectValue else {
            throw FieldProblem("experiment", .mustBeObject)
        }
        var experiment = InAppExperiment()
        if let share = object["control_share"] {
            guard let share = share.integerValue.flatMap({ Int(exactly: $0) }) else {
                throw FieldProblem("experiment.control_share", .mustBeWholeNumber)
            }
            experiment.controlShare = share
        }
        let rules = try JSONDecoder().decode(
            JSONValue.self,
            from: try JSONEncoder().encode(stored.message.rules)
        )
        experiment.others = try (object["others"]?.arrayValue ?? []).enumerated().map {
            index,
            other in
            let field = "experiment.others.\(index)"
            guard var content = other.objectValue else {
                throw FieldProblem(field, .mustBeObject)
            }
            content["rules"] = rules
            return try message(.object(content), id: stored.id, field: field)
        }
        let weights = object["weights"]?.arrayValue?.map {
            $0.integerValue.flatMap { Int(exactly: $0) }
        }
        experiment.weights =
            weights?.map { $0 ?? -1 }
            ?? Array(repeating: 1, count: experiment.others.count + 1)
        if let ids = object["variant_ids"] {
            let known = (ids.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap(UUID.init(uuidString:))
            }
            guard known.count == experiment.others.count + 1, Set(known).count == known.count else {
                throw FieldProblem("experiment.variant_ids", .variantIDsDiffer)
            }
            experiment.identities = known.map { InAppVariantIdentity(id: $0) }
        }
        return experiment
    }

    static func message(
        _ value: JSONValue,
        id: UUID,
        field: String = "message"
    ) throws -> InAppMessage {
        guard var object = value.objectValue else {
            throw FieldProblem(field, .mustBeObject)
        }
        guard var rules = object["rules"]?.objectValue else {
            throw FieldProblem("\(field).rules", .rulesRequired)
        }
        rules["priority"] = rules["priority"] ?? 0
        rules["delay_seconds"] = rules["delay_seconds"] ?? 0
        // A missing value means once; `null` means no limit.
        rules["impression_limit"] = rules["impression_limit"] ?? 1
        object["rules"] = .object(rules)
        // Set for devices by the server, not taken from requests.
        object["variant"] = nil
        object["id"] = .string(id.uuidString.lowercased())
        object["message"] = object["message"] ?? ""
        do {
            return try JSONDecoder().decode(
                InAppMessage.self,
                from: try JSONEncoder().encode(JSONValue.object(object))
            )
        } catch let error as DecodingError {
            throw error.problem(in: .object(object)).within(field)
        }
    }
}
