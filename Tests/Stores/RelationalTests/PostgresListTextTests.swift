import PostgresClient
import Testing

@testable import Relational

@Suite("A statement of PostgreSQL for many lists of values")
struct PostgresListTextTests {
    private func statement(
        _ sql: String,
        _ lists: [[PostgresValue]]
    ) -> PostgresListStatement? {
        PostgresDialect.translate(sql).lists?.statement(for: lists)
    }

    private let two: [[PostgresValue]] = [[.integer(1), .text("a")], [.integer(2), .text("b")]]
    private let table = """
        unnest($1, $2) WITH ORDINALITY AS list (list_1, list_2, list_number)
        """

    @Test("a query answers its first row for each list, and which list that is")
    func queries() {
        let statement = statement("SELECT a FROM t WHERE b = ? AND c = ?", two)
        #expect(
            statement?.sql == """
                SELECT answer.*, list.list_number FROM \(table) CROSS JOIN LATERAL \
                (SELECT a FROM t WHERE b = list.list_1 AND c = list.list_2 LIMIT 1) AS answer
                """
        )
        #expect(statement?.hasPositions == true)
        #expect(
            statement?.values
                == [[.integer(1), .integer(2)], [.text("a"), .text("b")]].map {
                    PostgresList($0).map(PostgresValue.list)
                }
        )
    }

    @Test("a change takes the values of a row from the list that finds it")
    func changes() {
        #expect(
            statement("UPDATE t SET a = a + ? WHERE b = ? RETURNING c", two)?.sql == """
                UPDATE t SET a = a + list.list_1 FROM \(table) WHERE b = list.list_2 \
                RETURNING c, list.list_number
                """
        )
        #expect(
            statement("UPDATE t SET a = ? WHERE b = ?", two)?.sql == """
                UPDATE t SET a = list.list_1 FROM \(table) WHERE b = list.list_2 \
                RETURNING list.list_number
                """
        )
    }

    @Test("rows are inserted from the lists, and do not tell from which")
    func insertions() {
        let values = statement("INSERT OR IGNORE INTO t VALUES (?, 0, ?) RETURNING a", two)
        #expect(
            values?.sql == """
                INSERT INTO t SELECT list.list_1, 0, list.list_2 FROM \(table) \
                ON CONFLICT DO NOTHING RETURNING a
                """
        )
        #expect(values?.hasPositions == false)
        #expect(
            statement("INSERT INTO t (a, b) SELECT ?, c FROM s JOIN u ON u.d = ?", two)?.sql == """
                INSERT INTO t(a, b) SELECT list.list_1, c FROM \(table) CROSS JOIN s \
                JOIN u ON u.d = list.list_2
                """
        )
    }

    @Test("a value that no list has stays NULL, which has no type")
    func noValues() {
        let statement = statement(
            "UPDATE t SET a = ? WHERE b = ?",
            [[.null, .integer(1)], [.null, .integer(2)]]
        )
        #expect(
            statement?.sql == """
                UPDATE t SET a = NULL FROM unnest($1) WITH ORDINALITY AS list (list_2, list_number) \
                WHERE b = list.list_2 RETURNING list.list_number
                """
        )
    }

    @Test("a name that is used twice is one column")
    func names() {
        #expect(
            statement("SELECT a FROM t WHERE b = :name OR c = :name", [[.integer(1)]])?.sql == """
                SELECT answer.*, list.list_number FROM \
                unnest($1) WITH ORDINALITY AS list (list_1, list_number) CROSS JOIN LATERAL \
                (SELECT a FROM t WHERE b = list.list_1 OR c = list.list_1 LIMIT 1) AS answer
                """
        )
    }

    @Test(
        "others run for one list after another",
        arguments: [
            "DELETE FROM t WHERE a = ?", "SELECT a FROM t WHERE b = ? LIMIT 2",
            "INSERT INTO t VALUES (?) ON CONFLICT (a) DO UPDATE SET a = ?",
            "INSERT INTO t VALUES (?), (?)", "INSERT INTO t VALUES (?, DEFAULT)",
            "INSERT INTO t SELECT a FROM s WHERE b = ? ORDER BY a",
            "UPDATE t SET a = s.a FROM s WHERE s.b = ?", "SELECT 1",
        ]
    )
    func others(sql: String) {
        #expect(PostgresDialect.translate(sql).lists == nil)
    }

    @Test("values of several types, or none at all, are no column")
    func mixed() {
        #expect(statement("SELECT ?", [[.integer(1)], [.text("a")]]) == nil)
        #expect(statement("SELECT ?", [[.null], [.null]]) == nil)
        #expect(PostgresList([.integer(1), .null]) != nil)
    }
}
