import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports

/// Reads an in-app message of a request: the shape that devices get, without its identifier.
struct InAppMessageReader {
    let store: any SegmentStore

    /// Takes over the fields a request gives.
    func read(_ reader: RequestReader, into stored: inout StoredInAppMessage) async throws {
        if let name = try reader.string("name") { stored.name = name }
        if let text = try reader.string("state") {
            guard let state = StoredInAppMessage.State(rawValue: text) else {
                let names = StoredInAppMessage.State.allCases.map(\.rawValue)
                throw reader.problem("state", "is one of " + names.joined(separator: ", "))
            }
            stored.state = state
        }
        if reader.isNull("segment_id") {
            stored.audience = SegmentQuery()
        } else if let text = try reader.string("segment_id") {
            let segment = try await SegmentReference(store: store).segment(text, stored.workspace)
            stored.audience = SegmentQuery(segments: [segment.id])
        }
        if let value = reader.value("message") {
            stored.message = try Self.message(value, id: stored.id)
        }
    }

    static func message(_ value: JSONValue, id: UUID) throws -> InAppMessage {
        guard var object = value.objectValue else {
            throw FieldProblem("message", "must be an object")
        }
        guard var rules = object["rules"]?.objectValue else {
            throw FieldProblem("message.rules", "is required: an object with triggers")
        }
        rules["priority"] = rules["priority"] ?? 0
        rules["delay_seconds"] = rules["delay_seconds"] ?? 0
        // Once is what is meant by who says nothing; who wants it every time says null.
        rules["impression_limit"] = rules["impression_limit"] ?? 1
        object["rules"] = .object(rules)
        object["id"] = .string(id.uuidString.lowercased())
        object["message"] = object["message"] ?? ""
        do {
            return try JSONDecoder().decode(
                InAppMessage.self,
                from: try JSONEncoder().encode(JSONValue.object(object))
            )
        } catch let error as DecodingError {
            throw FieldProblem("message.\(error.path)", error.explanation)
        }
    }
}
