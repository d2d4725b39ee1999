import Foundation
import ServerTesting
import Testing

/// Import and export by the commands, on files.
@Suite("Import and export")
struct TransferTests {
    private func withFolder(_ body: (URL, [String]) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-transfer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try TestDatabase(at: folder.appending(path: "test.sqlite").path)
        try await body(folder, database.options)
    }

    @Test("an import that is killed goes on where it was and counts no row twice")
    func killed() async throws {
        try await withFolder { folder, options in
            let file = folder.appending(path: "events.ndjson")
            let rows = 6_000
            var text = ""
            for row in 0..<rows {
                // Equal rows are different events.
                let time = row % 100 == 7 ? "never" : "2026-01-01T00:00:00Z"
                text += """
                    {"external_id": "u\(row % 50)", "name": "done", "time": "\(time)"}\n
                    """
            }
            try text.write(to: file, atomically: true, encoding: .utf8)
            let command = ["import", "events", file.path, "--batch", "200"] + options
            for delay in [150, 250, 350] {
                let process = try ServerProcess.start(command)
                try await Task.sleep(for: .milliseconds(delay))
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            // The last word of the command is where the rejected rows are.
            let answer = try ServerProcess.run(command)
            #expect(answer.hasSuffix("events.ndjson.rejected.csv"))
            let ledger = Ledger(try TestDatabase(at: folder.appending(path: "test.sqlite").path))
            #expect(try await ledger.number("SELECT count(*) FROM events") == rows * 99 / 100)
            let report = try String(
                contentsOf: folder.appending(path: "events.ndjson.rejected.csv"),
                encoding: .utf8
            ).split(separator: "\n")
            #expect(report.count == 1 + rows / 100)
            #expect(report[1].hasPrefix("8,time,"))
            // The whole file once more: every row is known.
            _ = try ServerProcess.run(command)
            #expect(try await ledger.number("SELECT count(*) FROM events") == rows * 99 / 100)
        }
    }

    @Test("a row whose one field is bad is stored without it, and the field is named")
    func partial() async throws {
        try await withFolder { folder, options in
            let users = folder.appending(path: "users.csv")
            try """
            external_id,gender,country,plan
            ada,female,Japan?,pro
            bob,robot,JP,free
            eve,M,JP,pro
            ,M,JP,pro
            """.write(to: users, atomically: true, encoding: .utf8)
            _ = try ServerProcess.run(["import", "users", users.path] + options)
            let ledger = Ledger(try TestDatabase(at: folder.appending(path: "test.sqlite").path))
            let stored = """
                SELECT count(*) FROM profiles WHERE \(ledger.value("plan", of: "custom")) IS NOT NULL
                """
            #expect(try await ledger.number(stored) == 3)
            let genders = """
                SELECT count(*) FROM profiles WHERE \(ledger.value("gender", of: "standard")) IN ('F', 'M')
                """
            #expect(try await ledger.number(genders) == 2)
            let report = try String(
                contentsOf: folder.appending(path: "users.csv.rejected.csv"),
                encoding: .utf8
            ).split(separator: "\n").map {
                $0.split(separator: ",").prefix(2).joined(separator: " ")
            }
            #expect(report == ["line field", "2 country", "3 gender", "5 external_id"])
        }
    }

    @Test("an export that is killed goes on where it was, with every row once")
    func killedExport() async throws {
        try await withFolder { folder, options in
            let rows = 20_000
            let file = folder.appending(path: "users.ndjson")
            try (0..<rows).map { "{\"external_id\": \"u\($0)\", \"points\": \($0)}\n" }.joined()
                .write(to: file, atomically: true, encoding: .utf8)
            _ = try ServerProcess.run(["import", "users", file.path] + options)
            for format in ["ndjson", "csv"] {
                let output = folder.appending(path: "out.\(format)")
                let command =
                    ["export", "users", "--format", format, "--output", output.path] + options
                for delay in [60, 120, 240] {
                    let process = try ServerProcess.start(command)
                    try await Task.sleep(for: .milliseconds(delay))
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                }
                #expect(try ServerProcess.run(command) == "\(rows) rows written")
                let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
                #expect(lines.count == rows + (format == "csv" ? 1 : 0))
                #expect(Set(lines).count == lines.count)
            }
        }
    }

    @Test(
        "what is exported can be imported elsewhere, as CSV and as JSON",
        arguments: ["csv", "ndjson"]
    )
    func roundTrip(format: String) async throws {
        try await withFolder { folder, options in
            let users = folder.appending(path: "users.csv")
            try """
            external_id,first_name,plan,tags
            ada,Ada,"pro, yearly","[""x"",""y""]"
            bob,Bob,,
            """.write(to: users, atomically: true, encoding: .utf8)
            #expect(
                try ServerProcess.run(["import", "users", users.path] + options)
                    .hasPrefix("2 rows stored, 0 rejected")
            )
            let exported = folder.appending(path: "out.\(format)")
            let export = ["export", "users", "--format", format]
            let written = try ServerProcess.run(export + ["--output", exported.path] + options)
            #expect(written == "2 rows written")
            let other = try TestDatabase(at: folder.appending(path: "other.sqlite").path)
            _ = try ServerProcess.run(["import", "users", exported.path] + other.options)
            let ledger = Ledger(other)
            let same = """
                SELECT count(*) FROM profiles WHERE external_id = 'ada' AND first_name = 'Ada'
                    AND \(ledger.value("plan", of: "custom")) = 'pro, yearly'
                    AND \(ledger.value("tags.1", of: "custom")) = 'y'
                    AND \(ledger.value("created_at", of: "custom")) IS NULL
                """
            #expect(try await ledger.number(same) == 1)
            #expect(try await ledger.number("SELECT count(*) FROM profiles") == 2)
        }
    }

    private static let users = """
        {"braze_id":"0190f6a0-0000-7000-8000-000000000001","external_id":"ada","first_name":"Ada",\
        "push_subscribe":"opted_in","push_opted_in_at":"2025-03-04T05:06:07.008Z",\
        "email_subscribe":"unsubscribed","email_unsubscribed_at":"2025-04-04T05:06:07.008Z",\
        "time_zone":"Asia/Tokyo","custom_attributes":{"score":9007199254740993,"plan":"pro",\
        "list":["b","a"],"since":"2025-01-01T00:00:00.000Z","deep":{"x":[{"y":1.5}]}},\
        "session_count":7,"created_at":"2024-12-31T23:59:59.999Z",\
        "first_session_at":"2025-01-02T03:04:05.006Z","last_session_at":"2026-01-02T03:04:05.006Z",\
        "user_aliases":[{"alias_label":"crm","alias_name":"A-1"}],\
        "devices":[{"id":"0190f6a0-0000-7000-8000-00000000000a","app":"com.example.tea",\
        "platform":"ios","model":"iPhone17,1","os_version":"18.2","app_version":"2.1",\
        "sdk_version":"1.0","locale":"ja_JP","time_zone":"Asia/Tokyo",\
        "updated_at":"2026-01-02T03:04:05.006Z","push":{"provider":"apns","token":"00ff",\
        "environment":"sandbox","authorization":"authorized",\
        "registered_at":"2025-02-02T03:04:05.006Z"}}]}
        {"braze_id":"0190f6a0-0000-7000-8000-000000000002","session_count":0,\
        "anonymous_id":"0190f6a0-0000-7000-8000-00000000000b",\
        "created_at":"2025-06-01T00:00:00.000Z"}

        """

    private static let events = """
        {"external_id":"ada","name":"brewed","time":"2025-05-05T05:05:05.005Z",\
        "properties":{"grams":5,"tea":"sencha"},"app_id":"com.example.tea"}
        {"external_id":"ada","name":"$session_start","time":"2025-05-05T05:05:00.000Z"}
        {"external_id":"ada","name":"$session_end","time":"2025-05-05T05:06:00.000Z",\
        "properties":{"duration_seconds":60}}
        {"braze_id":"0190f6a0-0000-7000-8000-000000000002","name":"$purchase",\
        "time":"2025-07-05T05:05:05.005Z","properties":{"product_id":"tea","currency":"JPY",\
        "price":480.5,"quantity":2,"size":"L"}}
        {"external_id":"eve","name":"$session_start","time":"2025-05-05T05:05:00.000Z"}

        """

    @Test(
        "export, import, export: users, their devices and times, and all events are the same",
        arguments: ["ndjson", "csv"]
    )
    func identical(format: String) async throws {
        try await withFolder { folder, _ in
            func database(_ name: String) throws -> [String] {
                let file = folder.appending(path: "\(name).sqlite")
                let options = try TestDatabase(at: file.path).options
                _ = try ServerProcess.run(
                    [
                        "app", "create", "--name", "Tea", "--platform", "ios", "--bundle-id",
                        "com.example.tea",
                    ]
                        + options
                )
                return options
            }
            func file(_ name: String) -> URL { folder.appending(path: name) }
            func export(_ kind: String, _ name: String, _ options: [String]) throws -> String {
                let path = file("\(name)-\(kind).\(format)").path
                _ = try ServerProcess.run(
                    ["export", kind, "--format", format, "--output", path] + options
                )
                return path
            }
            let first = try database("first")
            for (kind, text) in [("users", Self.users), ("events", Self.events)] {
                let path = file("\(kind).ndjson")
                try text.write(to: path, atomically: true, encoding: .utf8)
                let answer = try ServerProcess.run(["import", kind, path.path] + first)
                #expect(answer.contains(" 0 rejected"), "\(answer)")
                #expect(!answer.contains("lack fields"), "\(answer)")
            }
            let second = try database("second")
            var written: [String: String] = [:]
            for kind in ["users", "events"] {
                let path = try export(kind, "first", first)
                written[kind] = path
                let answer = try ServerProcess.run(["import", kind, path] + second)
                #expect(answer.contains(" 0 rejected"), "\(answer)")
                #expect(!answer.contains("lack fields"), "\(answer)")
            }
            for kind in ["users", "events"] {
                let before = try String(contentsOfFile: written[kind] ?? "", encoding: .utf8)
                let after = try String(
                    contentsOfFile: try export(kind, "second", second),
                    encoding: .utf8
                )
                // A user who was made by an event is made again: everything but the numbers of the
                // server's clock is in the file.
                #expect(before == after)
                if kind == "users", format == "ndjson" {
                    #expect(before.hasPrefix("{\"anonymous_id\"") || before.contains("00ff"))
                    #expect(before.contains("9007199254740993"))
                    #expect(before.contains("\"push_opted_in_at\":\"2025-03-04T05:06:07.008Z\""))
                    #expect(before.contains("\"session_count\":7"))
                }
            }
        }
    }

    @Test("what people have written goes out of one server and into another, or not at all")
    func content() async throws {
        try await withFolder { folder, first in
            let file = folder.appending(path: "second.sqlite")
            let second = try TestDatabase(at: file.path).options
            let segment = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a01"
            let campaign = "4b4e7b1c-37f6-4f09-9a52-0d5a3c0c8a02"
            let lines = """
                {"kind":"segment","id":"\(segment)","name":"Brazil","filter":\
                {"attribute":"country","test":"equal","value":"BR"}}
                {"kind":"catalog","name":"menu","fields":[{"name":"id","type":"string"}]}
                {"kind":"catalog_item","catalog":"menu","id":"sencha","values":{}}
                {"kind":"campaign","id":"\(campaign)","name":"Tea",\
                "audience":{"segments":["\(segment)"]},"variants":[{"api_id":"\(segment)",\
                "name":"A","message":{"common":{"message":{"body":"Tea?"}}}}]}
                """
            let written = folder.appending(path: "written.ndjson")
            try lines.replacing("menu\",\"id", with: "menus\",\"id")
                .write(to: written, atomically: true, encoding: .utf8)
            let (status, answer) = try ServerProcess.runProgram(
                "noroshi-server",
                ["import", "content", written.path] + first
            )
            #expect(status != 0 && answer.contains("line 3: catalog"), "\(answer)")
            let ledger = Ledger(try TestDatabase(at: folder.appending(path: "test.sqlite").path))
            #expect(try await ledger.number("SELECT count(*) FROM segments") == 0)

            try lines.write(to: written, atomically: true, encoding: .utf8)
            let told = try ServerProcess.run(["import", "content", written.path] + first)
            #expect(told == "3 added, 0 changed, 0 unchanged; 1 items of catalogs")
            var files: [String] = []
            for (name, options) in [("first", first), ("second", second)] {
                let path = folder.appending(path: "\(name).ndjson").path
                _ = try ServerProcess.run(["export", "content", "--output", path] + options)
                files.append(try String(contentsOfFile: path, encoding: .utf8))
                if name == "first" {
                    _ = try ServerProcess.run(["import", "content", path] + second)
                }
            }
            #expect(files[0] == files[1] && files[0].contains("Tea?"))
        }
    }
}
