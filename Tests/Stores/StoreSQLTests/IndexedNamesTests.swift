import Foundation
import Model
import Ports
import Reasons
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Names in indexes")
struct IndexedNamesTests {
    @Test(
        "one that is too long for PostgreSQL's is refused with its field, and what came with it is stored",
        arguments: StoreKind.available
    )
    func tooLong(_ kind: StoreKind) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-names-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Slots.postgres.run {
            let store = try SQLStore.testing(at: path, on: kind)
            let now = Date(timeIntervalSince1970: 1_790_000_000)
            let workspace = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: now)
            // Nothing that compresses well, or it would fit.
            var random = SystemRandomNumberGenerator()
            let long = (0..<255).map { _ in
                "a"
                    + (0..<12).map { _ in
                        Unicode.Scalar(UInt32.random(in: 0x300...0x36E, using: &random))
                            .map(String.init) ?? ""
                    }.joined()
            }.joined()
            let widest = String(repeating: "\u{1F375}", count: 255)
            let contents: [IngestItem.Content] = [
                .event(name: long, properties: [:]), .event(name: widest, properties: [:]),
                .purchase(product: long, currency: "JPY", price: 1, quantity: 1, properties: [:]),
                .alias(name: long, label: "crm"), .event(name: "browsed", properties: [:]),
            ]
            let outcomes = try await store.ingest(
                [
                    IngestRequest(
                        workspace: workspace,
                        source: .api,
                        items: contents.map { content in
                            IngestItem(
                                recordID: UUID(),
                                user: .external("ada"),
                                time: now,
                                content: content
                            )
                        }
                    )
                ],
                now: now
            )
            func refusal(_ field: String) -> IngestOutcome {
                .rejected(FieldProblem(field, .longerThan, ["count": "1020"]))
            }
            #expect(
                outcomes == [
                    [
                        refusal("name"), .stored(except: []), refusal("product_id"),
                        refusal("alias_name"), .stored(except: []),
                    ]
                ]
            )
            try await store.close()
        }
    }
}
