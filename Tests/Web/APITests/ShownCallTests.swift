import Foundation
import HTTPTypes
import NoroshiWire
import Testing

/// What somebody copies from the reference and runs.
@Suite("The calls of curl in the reference")
struct ShownCallTests {
    @Test("name every parameter that is required, and one of those of which one is needed")
    func parameters() async throws {
        try await APIClient.run { client in
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            var groups = 0
            for call in try await ShownCall.all(client) where call.method == .get {
                let operation = try #require(description["paths"]?[call.path]?["get"])
                let shown = Set(call.query.map(\.name))
                for parameter in operation["parameters"]?.arrayValue ?? []
                where parameter["in"] == "query" && parameter["required"] == true {
                    let name = try #require(parameter["name"]?.stringValue)
                    #expect(shown.contains(name), "\(name) of \(call.path)")
                }
                for group in operation["x-one-of"]?.arrayValue ?? [] {
                    let names = (group.arrayValue ?? []).compactMap(\.stringValue)
                    #expect(shown.intersection(names).count == 1, "\(names) of \(call.path)")
                    groups += 1
                }
            }
            #expect(groups > 0)
        }
    }

    @Test("have a body with every member that is required, and one of those of which one is needed")
    func bodies() async throws {
        try await APIClient.run { client in
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let validator = SchemaValidator(description)
            for call in try await ShownCall.all(client) {
                guard let body = call.body else { continue }
                let operation = description["paths"]?[call.path]?[call.method.rawValue.lowercased()]
                let content = operation?["requestBody"]?["content"]?["application/json"]
                let schema = try #require(content?["schema"])
                let problems = validator.problems(body, schema)
                #expect(problems.isEmpty, "\(problems) of \(call.path) \(body)")
            }
        }
    }

    @Test("that change something are refused for nothing that they lack")
    func changes() async throws {
        try await APIClient.run { client in
            let known = try await FilledWorkspace.fill(client)
            for call in try await ShownCall.all(client) {
                guard let body = call.body else { continue }
                let answer = try await call.run(client, known: known)
                guard answer.status == .badRequest else { continue }
                for field in answer.errors.compactMap({ $0["field"]?.stringValue }) {
                    #expect(Self.has(field, body), "\(call.path) \(body): \(answer.message)")
                }
            }
        }
    }

    /// Whether a body has a member at a path such as `recipients.0.email`.
    private static func has(_ path: String, _ body: JSONValue) -> Bool {
        let found = path.split(separator: ".").reduce(body as JSONValue?) { value, part in
            guard let index = Int(part), let list = value?.arrayValue else {
                return value?[String(part)]
            }
            return list.indices.contains(index) ? list[index] : nil
        }
        return found != nil
    }

    @Test("are answered when they name what exists, and miss nothing")
    func answers() async throws {
        try await APIClient.run { client in
            let known = try await FilledWorkspace.fill(client)
            for call in try await ShownCall.all(client) where call.method == .get {
                let answer = try await call.run(client, known: known)
                // What has one content is no experiment, which is nothing that the call misses.
                if call.path.hasSuffix("/experiment"), answer.status == .badRequest {
                    let faults = Set(answer.errors.compactMap { $0["field"]?.stringValue })
                    #expect(!faults.isEmpty && faults.isSubset(of: call.query.map(\.name)))
                } else {
                    #expect(answer.status == .ok, "\(call.path) \(call.query): \(answer.body)")
                }
            }
        }
    }
}
