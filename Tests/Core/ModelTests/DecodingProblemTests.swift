import Foundation
import Model
import NoroshiWire
import Testing

@Suite("What the decoder refuses is said in the words of JSON")
struct DecodingProblemTests {
    private struct Order: Decodable {
        struct Line: Decodable {
            let name: String
            let count: Int
        }

        let id: UUID
        let lines: [Line]
        let isPaid: Bool
        let total: Double
        let notes: [String: String]
    }

    private func message(_ changed: String, _ value: String) -> String? {
        var fields = [
            "id": #""8C9B6F0E-6C2A-4E0A-9B0C-0A1B2C3D4E5F""#, "lines": "[]", "isPaid": "true",
            "total": "1.5", "notes": "{}",
        ]
        fields[changed] = value
        let members = fields.map { #""\#($0)": \#($1)"# }
        do {
            let text = "{" + members.joined(separator: ",") + "}"
            _ = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
            return nil
        } catch let error as DecodingError {
            return "\(error.problem.field) \(error.problem.message)"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "a value of another type",
        arguments: [
            ("id", "5", "id has the wrong type; a string is expected"),
            ("lines", "5", "lines has the wrong type; an array is expected"),
            ("lines", "[5]", "lines.0 has the wrong type; an object is expected"),
            (
                "lines", #"[{"name": "tea", "count": "2"}]"#,
                "lines.0.count has the wrong type; a whole number is expected"
            ),
            ("isPaid", "1", "isPaid has the wrong type; true or false is expected"),
            ("total", #""much""#, "total has the wrong type; a number is expected"),
            ("notes", "[]", "notes has the wrong type; an object is expected"),
        ]
    )
    func wrongType(field: String, value: String, expected: String) {
        #expect(message(field, value) == expected)
    }

    @Test(
        "null where there is a value",
        arguments: [
            ("id", "id may not be null; a string is expected"),
            ("lines", "lines may not be null; an array is expected"),
        ]
    )
    func null(field: String, expected: String) {
        #expect(message(field, "null") == expected)
    }

    private struct Cap: Decodable {
        var messages: Int
    }

    @Test(
        "a number that no integer holds is named by its place",
        arguments: ["1e308", "-1e308", "9223372036854775808", "1e19"]
    )
    func huge(number: String) throws {
        let text = #"{"caps":[{"messages":2},{"messages":\#(number)}]}"#
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([String: [Cap]].self, from: Data(text.utf8))
        }
        let problem = try #require(error).problem(in: value)
        #expect(problem.field == "caps.1.messages", "\(problem)")
    }
}
