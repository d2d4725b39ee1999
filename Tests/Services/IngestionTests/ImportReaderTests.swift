import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Rows of a file that is imported")
struct ImportReaderTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)
    private let id = UUID()

    private func item(_ reader: ImportReader, _ row: String) throws(FieldProblem) -> IngestItem {
        try reader.item(Array(row.utf8), id: id, now: now)
    }

    @Test("a CSV field in quotes holds commas, line ends and doubled quotes")
    func fields() throws {
        #expect(
            try CSVRecord.fields(Array("a,\"b,\"\"c\"\"\nd\",,e".utf8)) == [
                "a", "b,\"c\"\nd", "", "e",
            ]
        )
        let fields = ["plain", "with,comma", "with \"quotes\"", "two\nlines", ""]
        let line = CSVRecord.line(fields)
        #expect(try CSVRecord.fields(Array(line.utf8.dropLast())) == fields)
        for bad in ["a\"b", "\"a\"b", "\"a"] {
            #expect(throws: FieldProblem.self) { try CSVRecord.fields(Array(bad.utf8)) }
        }
    }

    @Test("cells become numbers, truth values, lists and texts")
    func values() throws {
        var reader = ImportReader(
            kind: .users,
            columns: [
                "external_id", "plan", "points", "vip", "tags", "zip", "custom_attributes", "x",
            ]
        )
        reader.ignored = ["x"]
        let row = #"7,pro,12.5,true,"[""a"",""b""]",,"{""deep"":{""n"":1}}",gone"#
        let item = try item(reader, row)
        #expect(item.user == .external("7"))
        #expect(item.recordID == id)
        guard case .attributes(let changes) = item.content else {
            Issue.record("this is no attributes item")
            return
        }
        #expect(
            changes.values == [
                "plan": "pro", "points": 12.5, "vip": true, "tags": ["a", "b"], "deep": ["n": 1],
            ]
        )
    }

    @Test(
        "what an export writes into a cell is read back without difference, formulas made texts",
        arguments: [
            "=1+1", "'=1", "＋1", "\u{200D}=1", "\n=1", "-5", "42", "true", "[1]", "'42", "it's",
            -5, 42, 12.5, true, ["a", "=b"], ["deep": "=1"],
        ] as [JSONValue]
    )
    func cells(value: JSONValue) throws {
        for column in ["plan", "phone"] where column == "plan" || value.stringValue != nil {
            let reader = ImportReader(kind: .users, columns: ["external_id", column])
            let cell = ImportReader.cell(value, column: column)
            let isFormula = cell.unicodeScalars.first.map {
                "=+@\t\r\n＋".unicodeScalars.contains($0)
            }
            #expect(isFormula != true)
            let item = try item(reader, String(CSVRecord.line(["ada", cell]).dropLast()))
            guard case .attributes(let changes) = item.content else {
                Issue.record("this is no attributes item")
                return
            }
            #expect(changes.values == [column: value])
        }
    }

    @Test(
        "a gender in words becomes its code; what is no gender stays for the rule to refuse",
        arguments: [
            ("male", "M"), ("Female", "F"), ("OTHER", "O"), ("unknown", "N"),
            ("prefer not to say", "P"), ("f", "f"), ("robot", "robot"),
        ]
    )
    func genders(word: String, code: String) throws {
        let csv = try item(
            ImportReader(kind: .users, columns: ["external_id", "gender"]),
            "7,\(word)"
        )
        let json = try item(
            ImportReader(kind: .users, columns: nil),
            "{\"external_id\": \"7\", \"gender\": \"\(word)\"}"
        )
        for item in [csv, json] {
            guard case .attributes(let changes) = item.content else {
                Issue.record("this is no attributes item")
                return
            }
            #expect(changes.values == ["gender": .string(code)])
        }
    }

    @Test("an event's time may be a number, and its user's id be made of a column")
    func events() throws {
        var reader = ImportReader(
            kind: .events,
            columns: ["user_no", "name", "time", "properties"]
        )
        reader.externalID = "u{user_no:8}"
        reader.ignored = ["user_no"]
        let item = try item(reader, #"42,purchase,1700000000,"{""price"":9.5}""#)
        #expect(item.user == .external("u00000042"))
        #expect(item.time == Date(timeIntervalSince1970: 1_700_000_000))
        guard case .event("purchase", let properties) = item.content else {
            Issue.record("this is no event")
            return
        }
        #expect(properties.object == ["price": 9.5])
    }

    @Test(
        "a row that cannot be stored is refused with its field",
        arguments: [
            ("a,b", "row"), ("a,v,yesterday", "time"), (",v,1700000000", "external_id"),
            ("a,$v,1700000000", "name"),
        ]
    )
    func refusals(row: String, field: String) {
        let reader = ImportReader(kind: .events, columns: ["external_id", "name", "time"])
        let problem = #expect(throws: FieldProblem.self) { try item(reader, row) }
        #expect(problem?.field == field)
    }

    @Test("a whole number is a time in seconds, or in milliseconds from 100,000,000,000 on")
    func times() throws {
        let reader = ImportReader(kind: .events, columns: ["external_id", "name", "time"])
        for (cell, seconds) in [
            ("1700000000", 1_700_000_000), ("99999999999", 99_999_999_999),
            ("100000000000", 100_000_000), ("1700000000123", 1_700_000_000.123),
            ("-86400", -86_400),
        ] {
            let item = try item(reader, "ada,poured,\(cell)")
            #expect(item.time.timeIntervalSince1970 == min(seconds, now.timeIntervalSince1970))
        }
    }

    @Test("an id made of a column is filled up with zeros to its digits, and is never cut")
    func ids() throws {
        for (template, cell, id) in [
            ("u{no:3}", "7", "u007"), ("u{no:3}", "1234", "u1234"), ("u{no:3}", "123", "u123"),
            ("{no}", "7", "7"), ("{no}-{no:2}", "7", "7-07"), ("{no:x}", "7", "7"),
            ("a{", "7", "a{"), ("no", "7", "no"),
        ] {
            var reader = ImportReader(kind: .users, columns: ["no", "plan"])
            reader.externalID = template
            #expect(try item(reader, "\(cell),pro").user == .external(id), "\(template)")
        }
        var reader = ImportReader(kind: .users, columns: ["no", "plan"])
        reader.externalID = "u{no:3}"
        #expect(throws: FieldProblem.self) { try item(reader, ",pro") }
        reader.externalID = "u{other}"
        #expect(throws: FieldProblem.self) { try item(reader, "7,pro") }
        // A column of that name says it itself, unless its cell is empty.
        reader = ImportReader(kind: .users, columns: ["external_id", "no"])
        reader.externalID = "u{no}"
        #expect(try item(reader, "ada,7").user == .external("ada"))
        #expect(try item(reader, ",7").user == .external("u7"))
    }

    @Test("“devices” are those of an export; a file without its ids has an attribute of that name")
    func devices() throws {
        for (id, isKept) in [(UUID().uuidString.lowercased(), false), ("", true)] {
            let reader = ImportReader(
                kind: .users,
                columns: ["external_id", "braze_id", "devices", "plan"]
            )
            guard case .attributes(let changes) = try item(reader, "ada,\(id),3,pro").content else {
                Issue.record("this is no attributes item")
                return
            }
            #expect(changes.values["plan"] == "pro")
            #expect(changes.values["devices"] == (isKept ? 3 : nil), "braze_id '\(id)'")
        }
    }

    @Test("a user of an export comes back with the times and the identity that it says")
    func restored() throws {
        let columns = ["external_id", "braze_id", "created_at", "session_count", "plan"]
        let id = UUID()
        let row = "ada,\(id.uuidString.lowercased()),2026-01-31T08:30:00Z,4,pro"
        let object = """
            {"external_id":"ada","braze_id":"\(id.uuidString.lowercased())",\
            "created_at":"2026-01-31T08:30:00Z","session_count":4,"plan":"pro"}
            """
        for (reader, row) in [
            (ImportReader(kind: .users, columns: columns), row),
            (ImportReader(kind: .users, columns: nil), object),
        ] {
            let item = try item(reader, row)
            #expect(item.restored?.publicID == id)
            #expect(item.restored?.sessionCount == 4)
            #expect(item.restored?.createdAt == Date(timeIntervalSince1970: 1_769_848_200))
            guard case .attributes(let changes) = item.content else {
                Issue.record("this is no attributes item")
                return
            }
            #expect(changes.keepsStamps)
            #expect(changes.values == ["plan": "pro"])
        }
        // Without one of the three it is a row like others, of events always.
        for missing in 1...3 {
            var cells = row.split(separator: ",").map(String.init)
            cells[missing] = ""
            let reader = ImportReader(kind: .users, columns: columns)
            #expect(try item(reader, cells.joined(separator: ",")).restored == nil)
        }
        let events = ImportReader(kind: .events, columns: nil)
        let event = object.replacing(
            "\"plan\":\"pro\"",
            with: "\"name\":\"x\",\"time\":\"2026-01-31T08:30:00Z\""
        )
        #expect(try item(events, event).restored == nil)
    }
}
