import Testing

@testable import Relational

@Suite("SQL in PostgreSQL's words")
struct PostgresDialectTests {
    private func sql(_ text: String) -> String { PostgresDialect.translate(text).sql }

    // MARK: Parameters

    @Test("parameters have numbers in the order in which they stand")
    func positions() {
        let text = PostgresDialect.translate("SELECT a FROM t WHERE b = ? AND c < ? LIMIT ?")
        #expect(text.sql == "SELECT a FROM t WHERE b = $1 AND c < $2 LIMIT $3")
        #expect(text.parameters == [nil, nil, nil])
    }

    @Test("a name that is used twice is one parameter")
    func names() {
        let text = PostgresDialect.translate(
            "SELECT a FROM t WHERE b = :name OR c = :other OR d = :name"
        )
        #expect(text.sql == "SELECT a FROM t WHERE b = $1 OR c = $2 OR d = $1")
        #expect(text.parameters == ["name", "other"])
    }

    @Test("a numbered parameter keeps its number")
    func numbers() {
        let text = PostgresDialect.translate("UPDATE t SET a = ?2 WHERE b = ?1 AND c <> ?2")
        #expect(text.sql == "UPDATE t SET a = $2 WHERE b = $1 AND c <> $2")
        #expect(text.parameters == [nil, nil])
    }

    @Test("a parameter that may be NULL has a type where only that is asked")
    func absent() {
        let text = PostgresDialect.translate("SELECT a FROM t WHERE :b IS NULL OR b = :b")
        #expect(text.sql == "SELECT a FROM t WHERE $1::text IS NULL OR b = $2")
        #expect(text.parameters == ["b", "b"])
    }

    @Test("what looks like a parameter in a text is none")
    func texts() {
        let text = PostgresDialect.translate(
            "SELECT 'who? :me', \"odd?\" FROM t -- really?\nWHERE a = ?"
        )
        #expect(text.sql == "SELECT 'who? :me', \"odd?\" FROM t WHERE a = $1")
        #expect(text.parameters == [nil])
    }

    @Test(
        "statements that write are known",
        arguments: [
            ("SELECT 1", false), ("WITH a AS (SELECT 1) SELECT * FROM a", false),
            ("INSERT INTO t VALUES (?)", true), ("DELETE FROM t", true),
            ("UPDATE t SET a = 1", true), ("WITH a AS (SELECT 1) DELETE FROM t", true),
        ]
    )
    func writing(statement: String, writes: Bool) {
        #expect(PostgresDialect.translate(statement).writes == writes)
    }

    // MARK: Statements

    @Test("what is there already is left alone")
    func ignoring() {
        #expect(
            sql("INSERT OR IGNORE INTO t (a) VALUES (?)")
                == "INSERT INTO t(a) VALUES ($1) ON CONFLICT DO NOTHING"
        )
        #expect(
            sql("INSERT OR IGNORE INTO t (a) SELECT b FROM s WHERE c = ? RETURNING id")
                == "INSERT INTO t(a) SELECT b FROM s WHERE c = $1 ON CONFLICT DO NOTHING RETURNING id"
        )
    }

    @Test("PostgreSQL chooses indexes and the order of joins itself")
    func plans() {
        #expect(
            sql("SELECT a FROM t INDEXED BY t_by_a WHERE a = 1") == "SELECT a FROM t WHERE a = 1"
        )
        #expect(sql("SELECT a FROM t NOT INDEXED WHERE a = 1") == "SELECT a FROM t WHERE a = 1")
        #expect(
            sql("SELECT a FROM t CROSS JOIN s AS u ON u.b = t.a CROSS JOIN v")
                == "SELECT a FROM t JOIN s AS u ON u.b = t.a CROSS JOIN v"
        )
    }

    @Test("a query in FROM gets a name, unless it has one")
    func unnamedQueries() {
        #expect(
            sql("SELECT a FROM (SELECT a FROM t), (SELECT 1) WHERE a IN (SELECT 2)")
                == "SELECT a FROM (SELECT a FROM t) AS query_1, (SELECT 1) AS query_2 "
                + "WHERE a IN (SELECT 2)"
        )
        #expect(sql("SELECT a FROM (SELECT 1) AS b") == "SELECT a FROM (SELECT 1) AS b")
    }

    @Test("columns with names that PostgreSQL reserves are quoted, keywords are not")
    func reservedNames() {
        #expect(
            sql("SELECT CASE WHEN end IS NULL THEN window END FROM t AS a WHERE a.end > 0")
                == "SELECT CASE WHEN \"end\" IS NULL THEN \"window\" END FROM t AS a WHERE a.\"end\" > 0"
        )
    }

    // MARK: Comparisons

    @Test("values are compared where either may be NULL")
    func distinct() {
        #expect(
            sql("SELECT a IS ?, b IS NOT c")
                == "SELECT a IS NOT DISTINCT FROM $1, b IS DISTINCT FROM c"
        )
        #expect(sql("SELECT a IS NULL, b IS NOT NULL") == "SELECT a IS NULL, b IS NOT NULL")
    }

    @Test("letters of the alphabet are the same in both cases")
    func cases() {
        #expect(
            sql("SELECT a FROM t WHERE email = ? COLLATE NOCASE")
                == "SELECT a FROM t WHERE lower(email COLLATE \"C\") = lower($1 COLLATE \"C\")"
        )
        #expect(
            sql(
                "SELECT a FROM t WHERE t.email COLLATE NOCASE >= :from ORDER BY name COLLATE NOCASE"
            )
                == "SELECT a FROM t WHERE lower(t.email COLLATE \"C\") >= lower($1 COLLATE \"C\") "
                + "ORDER BY lower(name COLLATE \"C\")"
        )
        #expect(
            sql("INSERT INTO t VALUES (1) ON CONFLICT (a, name COLLATE NOCASE) DO UPDATE SET a = 2")
                == "INSERT INTO t VALUES (1) ON CONFLICT (a, lower(name COLLATE \"C\")) DO UPDATE SET a = 2"
        )
        #expect(
            sql("SELECT a FROM t WHERE a NOT LIKE '$%'")
                == "SELECT a FROM t WHERE (a COLLATE \"C\") NOT ILIKE '$%' ESCAPE ''"
        )
    }

    @Test("a list of values is an array")
    func lists() {
        #expect(
            sql("SELECT a FROM t WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))")
                == "SELECT a FROM t WHERE id = ANY (json_integers($1))"
        )
        #expect(
            sql("SELECT a FROM t WHERE name NOT IN (SELECT value FROM json_each(:names))")
                == "SELECT a FROM t WHERE name <> ALL (json_texts($1))"
        )
    }

    // MARK: Conditions

    @Test(
        "what stands alone as a condition is asked for its truth",
        arguments: [
            ("a FROM t WHERE is_b", "a FROM t WHERE truth(is_b)"),
            ("a FROM t WHERE NOT is_b AND c = 1", "a FROM t WHERE NOT truth(is_b) AND c = 1"),
            (
                "a FROM t WHERE (:b OR c > 1) ORDER BY a",
                "a FROM t WHERE (truth($1) OR c > 1) ORDER BY a"
            ),
            (
                "a FROM t WHERE b BETWEEN 1 AND 2 AND is_c",
                "a FROM t WHERE b BETWEEN 1 AND 2 AND truth(is_c)"
            ),
            (
                "CASE WHEN is_a THEN b ELSE c END FROM t",
                "CASE WHEN truth(is_a) THEN b ELSE c END FROM t"
            ),
            ("CASE a WHEN b THEN c END FROM t", "CASE a WHEN b THEN c END FROM t"),
            ("a FROM t JOIN s ON s.is_b", "a FROM t JOIN s ON truth(s.is_b)"),
            ("a FROM t WHERE EXISTS (SELECT 1)", "a FROM t WHERE EXISTS(SELECT 1)"),
            ("a FROM t WHERE b IS NOT TRUE", "a FROM t WHERE truth(b) IS NOT TRUE"),
            ("a FROM t WHERE b NOT IN (1, 2)", "a FROM t WHERE b NOT IN (1, 2)"),
        ]
    )
    func conditions(statement: String, translation: String) {
        #expect(sql("SELECT " + statement) == "SELECT " + translation)
    }

    // MARK: Values

    @Test("parts of JSON are read by their path")
    func json() {
        #expect(
            sql("SELECT content ->> '$.a.b[2]', c -> '$.d' FROM t")
                == "SELECT json_text(content, '{a,b,2}'), json_part(c, '{d}') FROM t"
        )
        #expect(
            sql("SELECT content ->> ('$.a[' || b || ']') FROM t")
                == "SELECT json_text(content, json_path(('$.a[' || b || ']'))) FROM t"
        )
    }

    @Test("JSON that is built is a text, but not within other JSON")
    func builtJSON() {
        #expect(
            sql("SELECT json_group_array(json_array(a, ?)) FROM t")
                == "SELECT (coalesce(json_agg(json_build_array(a, $1)), '[]')::text) FROM t"
        )
        #expect(
            sql("SELECT json_object('a', b) FROM t")
                == "SELECT (json_build_object('a', b)::text) FROM t"
        )
    }

    @Test(
        "functions have other names",
        arguments: [
            ("ifnull(a, '')", "coalesce(a, '')"), ("instr(a, b)", "strpos(a, b)"),
            ("iif(is_a, 1, 0)", "(CASE WHEN truth(is_a) THEN 1 ELSE 0 END)"),
            ("lower(a)", "lower(a COLLATE \"C\")"), ("max(a, b, 0)", "max(max(a, b), 0)"),
            ("max(a)", "max(a)"), ("round(a)", "rounded(a)"),
            ("CAST(a AS INTEGER)", "as_integer(a)"),
            ("CAST(a ->> '$.b' AS REAL)", "as_real(json_text(a, '{b}'))"),
            ("CAST(a AS BLOB)", "as_bytes(a)"), ("CAST(a AS TEXT)", "CAST(a AS TEXT)"),
            ("x'00ff'", "'\\x00ff'::bytea"), ("a == 1", "a = 1"),
        ]
    )
    func functions(expression: String, translation: String) {
        #expect(sql("SELECT \(expression) FROM t") == "SELECT \(translation) FROM t")
    }
}
