import Foundation
import PostgresClient
import PostgresTesting
import Testing

extension PostgresClientTests {
    @Suite("A server for tests")
    struct TemporaryPostgresTests {
        @Test("a database made from a template has its tables and its rows")
        func template() throws {
            let server = try TemporaryPostgres.shared()
            let template = try server.makeDatabase()
            do {
                let connection = try PostgresConnection(template, application: "tests")
                try connection.run(script: "CREATE TABLE things AS SELECT 7 AS x")
            }
            for _ in 0..<3 {
                let copy = try server.makeDatabase(template: template)
                let connection = try PostgresConnection(copy, application: "tests")
                let answer = try connection.execute("SELECT x FROM things")
                #expect(answer.value(0, 0) == .integer(7))
                // Also with somebody connected.
                try server.dropDatabase(copy)
                #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }
            }
            try server.dropDatabase(template)
        }

        @Test("two databases know nothing of each other")
        func databases() throws {
            let server = try TemporaryPostgres.shared()
            let addresses = [try server.makeDatabase(), try server.makeDatabase()]
            defer { for address in addresses { try? server.dropDatabase(address) } }
            #expect(addresses[0] != addresses[1])
            for address in addresses {
                let connection = try PostgresConnection(address, application: "tests")
                try connection.run(script: "CREATE TABLE things (x bigint)")
            }
        }
    }
}
