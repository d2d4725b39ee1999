import Foundation
import HTTPTypes
import NIOCore
import NoroshiWire
import Testing

@Suite("The description for people")
struct ReferenceTests {
    @Test("the page has every endpoint with an example, and loads nothing from elsewhere")
    func page() async throws {
        try await APIClient.run { client in
            let page = try await client.text("/docs/api")
            let description = try await client.send("/openapi.json", .get, [:], nil).body
            let paths = try #require(description["paths"]?.objectValue)
            #expect(!paths.isEmpty)
            for path in paths.keys {
                #expect(page.contains("<code>\(path)</code>"), "\(path)")
                #expect(page.contains("$HOST\(path)"), "an example of \(path)")
            }
            #expect(page.contains("NoroshiAdmin(endpoint"))
            #expect(!page.contains("://"))
            #expect(!page.contains("{{"))
        }
    }
}
