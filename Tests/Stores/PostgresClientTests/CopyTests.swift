import Foundation
import PostgresClient
import PostgresTesting
import Testing

extension PostgresClientTests {
    @Suite("Rows that are copied into a table")
    struct CopyTests {
        let connection: PostgresConnection
        private static let sql = "COPY things (a, b, c, d) FROM STDIN (FORMAT BINARY)"

        init() throws {
            connection = try connect()
            try connection.run(
                script: "CREATE TEMP TABLE things (a bigint UNIQUE, b text, c bytea, d float8)"
            )
        }

        @Test("each field arrives as it was given")
        func fields() throws {
            let count = try connection.copyIn(Self.sql) { copy in
                for number in 0..<20_000 {
                    try copy.row(4)
                    copy.integer(Int64(number) - 10_000)
                    copy.text(number % 2 == 0 ? "狼煙\0\(number)" : "")
                    if number % 3 == 0 { copy.null() } else { copy.bytes(Data([0, 255])) }
                    copy.value(.double(Double(number) / 4))
                }
            }
            #expect(count == 20_000)
            let rows = try connection.execute("SELECT * FROM things ORDER BY a")
            #expect(rows.count == 20_000)
            for number in [0, 1, 2, 3, 19_999] {
                let expected: [PostgresValue] = [
                    .integer(Int64(number) - 10_000),
                    .text(number % 2 == 0 ? "狼煙\0\(number)" : ""),
                    number % 3 == 0 ? .null : .bytes(Data([0, 255])),
                    .double(Double(number) / 4),
                ]
                #expect((0..<4).map { rows.value(number, $0) } == expected)
            }
        }

        @Test("a row that the table refuses leaves none")
        func refusedRow() throws {
            let error = try #require(throws: PostgresError.self) {
                try connection.copyIn(Self.sql) { copy in
                    for number in 0..<100_000 {
                        try copy.row(4)
                        copy.integer(Int64(number % 1000))
                        for _ in 0..<3 { copy.null() }
                    }
                }
            }
            #expect(error.state == "23505")
            #expect(try connection.execute("SELECT 1 FROM things").count == 0)
        }

        @Test("a caller that fails leaves none, and its error is the one that is thrown")
        func failingCaller() throws {
            struct Failure: Error {}
            #expect(throws: Failure.self) {
                try connection.copyIn(Self.sql) { copy in
                    try copy.row(4)
                    copy.integer(1)
                    throw Failure()
                }
            }
            #expect(try connection.execute("SELECT 1 FROM things").count == 0)
        }

        @Test("a statement that copies nothing in is refused")
        func otherStatement() throws {
            #expect(throws: PostgresError.self) { try connection.copyIn("SELECT 1") { _ in } }
            #expect(throws: PostgresError.self) { try connection.copyIn("COPY x FROM") { _ in } }
            #expect(try connection.execute("SELECT 1").count == 1)
        }
    }
}
