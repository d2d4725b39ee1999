import Foundation
import HTTPTypes
import NIOCore
import NoroshiWire
import Testing

@Suite("Drawn requests")
struct DescribedAnswerTests {
    private static let drawsOfEach = 20
    /// What names nothing, and is often right.
    private static let values: [String: [JSONValue]] = [
        "time": ["2026-07-04T18:30:00Z", "2026-07-04"], "currency": ["JPY", "USD"],
        "content": ["Hello", "{{ x }}"], "token": ["ab01", "x"], "startIndex": ["1"],
        "count": ["2"], "filter": ["userName eq \"ada@example.com\""], "length": ["3"],
        "page": ["0"],
    ]

    @Test("whatever is asked, the answer is one that the description has")
    func answers() async throws {
        try await APIClient.run { client in
            let known = try await FilledWorkspace.fill(client).merging(Self.values) { $1 }
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let validator = SchemaValidator(description)
            var requests = DrawnRequests(description, known: known, seed: 20_261_121)
            let paths = try #require(description["paths"]?.objectValue)
            var answered: [Int: Int] = [:]
            let operations = paths.flatMap { path, operations in
                (operations.objectValue ?? [:]).map { (path: path, method: $0, operation: $1) }
            }
            // What is deleted is asked for no more, so that comes last.
            let ordered = operations.sorted {
                ($0.method == "delete" ? 1 : 0, $0.path, $0.method)
                    < ($1.method == "delete" ? 1 : 0, $1.path, $1.method)
            }
            for (path, method, operation) in ordered {
                for _ in 0..<Self.drawsOfEach {
                    let address = requests.path(path, operation)
                    var body: JSONValue?
                    if operation["requestBody"] != nil { body = requests.body(operation) }
                    let answer = try await client.send(
                        address,
                        try #require(HTTPRequest.Method(rawValue: method.uppercased())),
                        [.authorization: "Bearer \(client.secret)"],
                        try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) }
                    )
                    answered[answer.status.code, default: 0] += 1
                    let what = "\(method) \(address) \(body ?? .null): \(answer.body)"
                    let described = operation["responses"]?["\(answer.status.code)"]
                    #expect(described != nil, "\(answer.status) of \(what)")
                    let schema = described?["content"]?["application/json"]?["schema"]
                    let line = described?["content"]?["application/x-ndjson"]?["schema"]
                    let problems =
                        if let line, let lines = answer.body.arrayValue {
                            lines.flatMap { validator.problems($0, line) }
                        } else {
                            validator.problems(answer.body, schema ?? [:])
                        }
                    #expect(problems.isEmpty, "\(problems) of \(what)")
                }
            }
            // Requests that are all refused would prove little.
            let good = answered.filter { $0.key < 300 }.values.reduce(0, +)
            #expect(good * 4 > answered.values.reduce(0, +), "\(answered)")
            #expect(answered.keys.allSatisfy { $0 < 500 })
        }
    }
}
