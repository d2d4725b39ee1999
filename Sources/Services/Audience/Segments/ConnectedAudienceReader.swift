import Foundation
import Model
import NoroshiWire
import Reasons
import Segments

/// Reads an `audience` object of the REST API, or a `filter` in the JSON form of the segment
/// language, as the JSON in which an audience is stored.
package enum ConnectedAudienceReader {
    package static func filter(
        audience value: JSONValue,
        field: String
    ) throws -> String {
        do throws(SegmentError) {
            return try text(try ConnectedAudience.rule(node(value)))
        } catch {
            throw FieldProblem(.request(place(field, error)), error.reason)
        }
    }

    package static func filter(segment value: JSONValue, field: String) throws -> String {
        do throws(SegmentError) {
            return try text(try SegmentJSON.decode(data(value)))
        } catch {
            throw FieldProblem(.request(place(field, error)), error.reason)
        }
    }

    private static func place(_ field: String, _ problem: SegmentError) -> String {
        field + problem.pointer.replacingOccurrences(of: "/", with: ".")
    }

    private static func data(_ value: JSONValue) throws(SegmentError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw SegmentError(.connectedNotJSON, ["text": "\(error)"])
        }
    }

    private static func node(_ value: JSONValue) -> JSONNode {
        switch value {
        case .null: .null
        case .bool(let bool): .bool(bool)
        case .integer(let integer):
            integer.isBeyondDouble ? .integer(integer) : .number(Double(integer))
        case .number(let number): .number(number)
        case .string(let string): .string(string)
        case .array(let elements): .array(elements.map(node))
        case .object(let members): .object(members.mapValues(node))
        }
    }

    private static func text(_ rule: SegmentRule) throws(SegmentError) -> String {
        do {
            return String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
        } catch {
            throw SegmentError(.connectedFilterNotStored, ["text": "\(error)"])
        }
    }
}
