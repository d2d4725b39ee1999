import Foundation
import PostgresClient
import Testing

extension PostgresClientTests {
    @Suite("Values that travel to PostgreSQL and back")
    struct ValueTests {
        let connection: PostgresConnection

        init() throws {
            connection = try connect()
        }

        @Test(
            "a value comes back as it was sent",
            arguments: [
                PostgresValue.null,
                .integer(0), .integer(-1), .integer(.min), .integer(.max),
                .double(0), .double(1.5), .double(0.1 + 0.2), .double(.infinity),
                .double(-.infinity), .double(.greatestFiniteMagnitude),
                .double(.leastNonzeroMagnitude),
                .text(""), .text("a"), .text("Grüße, 狼煙 🔥, עברית"),
                .text("\u{10FFFF}\u{FFFD}\u{FEFF}"), .text("'; DROP TABLE x; --"),
                .text("e\u{301}"), .text(String(repeating: "長", count: 300_000)),
                .bytes(Data()), .bytes(Data(0...255)), .bytes(Data(count: 1_000_000)),
            ]
        )
        func roundTrip(_ value: PostgresValue) throws {
            let answer = try connection.execute("SELECT $1", [value])
            #expect(answer.value(0, 0) == value)
        }

        @Test("a value can be stored in a column of its type, and found by it")
        func columns() throws {
            try connection.run(
                script: """
                    CREATE TEMP TABLE things (
                        number bigint, share double precision, name text COLLATE "C", body bytea
                    )
                    """
            )
            let values: [PostgresValue] = [
                .integer(.max), .double(-0.5), .text("日本"), .bytes(Data([0, 255])),
            ]
            try connection.execute("INSERT INTO things VALUES ($1, $2, $3, $4)", values)
            let found = try connection.execute(
                "SELECT * FROM things WHERE (number, share, name, body) = ($1, $2, $3, $4)",
                values
            )
            #expect(found.count == 1)
            #expect(found.columns == ["number", "share", "name", "body"])
            #expect((0..<4).map { found.value(0, $0) } == values)
        }

        @Test("a zero keeps its sign, and not a number stays none")
        func doubles() throws {
            let answer = try connection.execute("SELECT $1, $2", [.double(-0.0), .double(.nan)])
            guard case .double(let zero) = answer.value(0, 0),
                case .double(let none) = answer.value(0, 1)
            else {
                Issue.record("two numbers were expected")
                return
            }
            #expect(zero.sign == .minus)
            #expect(none.isNaN)
        }

        @Test("every plane of Unicode comes back")
        func planes() throws {
            for plane in UInt32(0)...16 {
                let scalars = stride(from: plane << 16, to: (plane + 1) << 16, by: 61)
                    .compactMap(Unicode.Scalar.init)
                var text = String.UnicodeScalarView()
                text.append(contentsOf: scalars)
                let sent = String(text)
                let answer = try connection.execute("SELECT $1", [.text(sent)])
                guard case .text(let received) = answer.value(0, 0) else {
                    Issue.record("a text was expected")
                    return
                }
                // Scalars, because equal texts may be written in two ways.
                #expect(received.unicodeScalars.elementsEqual(sent.unicodeScalars))
            }
        }

        @Test("a text with U+0000 is stored, found and given back")
        func zeroCharacter() throws {
            try connection.run(script: "CREATE TEMP TABLE texts (name text COLLATE \"C\" UNIQUE)")
            // All texts of up to four of the characters that take part in the escape.
            let characters = [UInt32(0), 0xFDD0, 0xFDD1, 0x61, 0xFF01]
                .compactMap(Unicode.Scalar.init)
                .map { String($0) }
            var texts = [""]
            var longest = [""]
            for _ in 0..<4 {
                longest = longest.flatMap { text in characters.map { text + $0 } }
                texts += longest
            }
            for text in texts {
                try connection.execute("INSERT INTO texts VALUES ($1)", [.text(text)])
                let found = try connection.execute(
                    "SELECT name FROM texts WHERE name = $1",
                    [.text(text)]
                )
                #expect(found.count == 1)
                #expect(found.value(0, 0) == .text(text))
                #expect(found[0].withText(0) { $0.map { Array($0) } } == Array(text.utf8))
            }
        }

        @Test("booleans are 0 and 1, and small integers are integers")
        func integers() throws {
            let answer = try connection.execute(
                "SELECT true, false, 7::int2, -7::int4, 'x'::name, 4294967295::oid, NULL::bool"
            )
            let values = (0..<7).map { answer.value(0, $0) }
            let expected: [PostgresValue] = [
                .integer(1), .integer(0), .integer(7), .integer(-7), .text("x"),
                .integer(4_294_967_295), .null,
            ]
            #expect(values == expected)
        }

        @Test(
            "a decimal number is an integer if it is whole and has 64 bits, else the nearest double",
            arguments: [
                ("0", PostgresValue.integer(0)), ("10000", .integer(10_000)), ("0.0", .integer(0)),
                ("123456789012", .integer(123_456_789_012)), ("-5.000", .integer(-5)),
                ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
                ("9223372036854775808", .double(9_223_372_036_854_775_808)),
                ("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
                ("0.1", .double(0.1)), ("-0.00001234", .double(-0.00001234)),
                ("3.3333333333333333", .double(10.0 / 3)), ("100000000.5", .double(100_000_000.5)),
                ("1e300", .double(1e300)), ("1e-300", .double(1e-300)),
                ("Infinity", .double(.infinity)), ("-Infinity", .double(-.infinity)),
            ]
        )
        func decimals(_ text: String, _ value: PostgresValue) throws {
            let answer = try connection.execute("SELECT '\(text)'::numeric")
            #expect(answer.value(0, 0) == value)
        }

        @Test("a sum of integers is an integer")
        func sums() throws {
            let answer = try connection.execute(
                "SELECT sum(x), avg(x) FROM (VALUES (1::bigint), (2), (6)) AS numbers (x)"
            )
            #expect(answer.value(0, 0) == .integer(9))
            #expect(answer.value(0, 1) == .integer(3))
        }

        @Test("JSON and identifiers are texts")
        func texts() throws {
            let answer = try connection.execute(
                """
                SELECT '{"a": 1}'::json, '{"a": 1}'::jsonb,
                    'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid
                """
            )
            #expect(answer.value(0, 0) == .text(#"{"a": 1}"#))
            #expect(answer.value(0, 1) == .text(#"{"a": 1}"#))
            #expect(answer.value(0, 2) == .text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
        }

        @Test("rows that were changed are counted")
        func affectedRows() throws {
            try connection.run(script: "CREATE TEMP TABLE numbers (x bigint)")
            let inserted = try connection.execute(
                "INSERT INTO numbers SELECT generate_series(1, 10)"
            )
            #expect(inserted.affectedRows == 10)
            let updated = try connection.execute(
                "UPDATE numbers SET x = 0 WHERE x > $1",
                [.integer(7)]
            )
            #expect(updated.affectedRows == 3)
            #expect(updated.count == 0)
            #expect(updated.columns.isEmpty)
        }
    }
}
