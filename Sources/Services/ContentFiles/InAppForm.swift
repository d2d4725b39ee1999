import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire

/// The form of an in-app message in a file: that of the wire, without the fields added for devices.
enum InAppForm {
    /// The fields that the server adds for devices.
    private static let given = ["id", "variant"]

    static func value(of message: InAppMessage) throws -> JSONValue {
        var members = try plain(message).objectValue ?? [:]
        for name in given { members[name] = nil }
        if case .object(var rules)? = members["rules"] {
            // A missing value means once, as in requests.
            rules["impression_limit"] = rules["impression_limit"] ?? .null
            members["rules"] = .object(rules)
        }
        return .object(members)
    }

    /// `nil` if there is nothing to compare.
    static func value(of experiment: InAppExperiment) throws -> JSONValue? {
        guard experiment.isRunning else { return nil }
        var form: [String: JSONValue] = [
            "control_share": .integer(Int64(experiment.controlShare)),
            "weights": .array(experiment.weights.map { .integer(Int64($0)) }),
            "others": .array(
                try experiment.others.map { other in
                    var members = try value(of: other).objectValue ?? [:]
                    members["rules"] = nil
                    return .object(members)
                }
            ),
        ]
        if !experiment.identities.isEmpty {
            form["variant_ids"] = .array(
                experiment.identities.map { .string(ContentWriter.text($0.id)) }
            )
        }
        return .object(form)
    }

    /// - Throws: `FieldProblem`.
    static func message(_ form: JSONValue, id: UUID, field: String) throws -> InAppMessage {
        guard case .object(var members) = form else {
            throw FieldProblem(field, .isObject)
        }
        for name in given where members[name] != nil {
            throw FieldProblem("\(field).\(name)", .givenByServer)
        }
        members["id"] = .string(id.uuidString.lowercased())
        if case .object(let rules)? = members["rules"] {
            let defaults: [String: JSONValue] = [
                "priority": 0, "delay_seconds": 0, "impression_limit": 1,
            ]
            members["rules"] = .object(defaults.merging(rules) { $1 })
        }
        let message: InAppMessage
        do {
            message = try JSONDecoder().decode(
                InAppMessage.self,
                from: Data(JSONWriter.text(members).utf8)
            )
        } catch let error as DecodingError {
            throw error.problem(in: .object(members)).within(field)
        }
        try ReadableForm.requireKnown(.object(members), in: try plain(message), field)
        return message
    }

    /// - Throws: `FieldProblem`.
    static func experiment(
        _ form: JSONValue?,
        of message: InAppMessage,
        id: UUID
    ) throws -> InAppExperiment {
        guard let form, form != .null else { return InAppExperiment() }
        guard case .object(let members) = form else {
            throw FieldProblem("experiment", .isObject)
        }
        let known = ["control_share", "weights", "others", "variant_ids"]
        if let name = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw ReadableForm.unknown("experiment.\(name)", among: known)
        }
        let rules = try plain(message.rules)
        var experiment = InAppExperiment()
        if let share = members["control_share"] {
            guard let number = share.integerValue.flatMap(Int.init(exactly:)) else {
                throw FieldProblem("experiment.control_share", .isWholeNumber)
            }
            experiment.controlShare = number
        }
        experiment.others = try (members["others"]?.arrayValue ?? []).enumerated().map {
            let field = "experiment.others.\($0)"
            guard case .object(var other) = $1, other["rules"] == nil else {
                throw FieldProblem(field, .variantRules)
            }
            other["rules"] = rules
            return try Self.message(.object(other), id: id, field: field)
        }
        experiment.weights = Array(repeating: 1, count: experiment.others.count + 1)
        if let weights = members["weights"] {
            let numbers = weights.arrayValue?.compactMap {
                $0.integerValue.flatMap(Int.init(exactly:))
            }
            guard let numbers, numbers.count == weights.arrayValue?.count else {
                throw FieldProblem("experiment.weights", .wholeNumbers)
            }
            experiment.weights = numbers
        }
        if let ids = members["variant_ids"] {
            let known = (ids.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap(UUID.init(uuidString:))
            }
            guard known.count == experiment.others.count + 1, Set(known).count == known.count else {
                throw FieldProblem("experiment.variant_ids", .variantIDs)
            }
            experiment.identities = known.map { InAppVariantIdentity(id: $0) }
        }
        return experiment
    }

    private static func plain(_ value: some Encodable) throws -> JSONValue {
        try JSONReader.read(JSONEncoder().encode(value))
    }
}
