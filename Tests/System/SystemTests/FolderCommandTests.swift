import Foundation
import PostgresTesting
import ServerTesting
import StoreTesting
import Testing

/// Pull, plan, apply and rehearse by the commands, each in a process of its own.
@Suite("A folder of content, by the commands")
struct FolderCommandTests {
    private static let example = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples/content-repository")

    private struct Desk {
        let folder: URL
        /// What commands are told of the database.
        let database: [String]

        var content: String { folder.appending(path: "content").path }

        /// The exit status and all that was printed.
        func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
            let (status, text) = try ServerProcess.runProgram("noroshi-server", arguments)
            return (status, text)
        }

        func edit(_ path: String, _ change: (String) -> String) throws {
            let file = folder.appending(path: path)
            let text = try String(contentsOf: file, encoding: .utf8)
            let changed = change(text)
            #expect(changed != text, "\(path) was not changed")
            try changed.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// A copy of the example.
    private func withDesk(_ body: (Desk) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-folder-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.example, to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try TestDatabase(at: folder.appending(path: "test.sqlite").path)
        try body(Desk(folder: folder, database: database.options))
    }

    private func rehearse(_ desk: Desk, _ more: [String] = []) throws -> (
        status: Int32, text: String
    ) {
        try desk.run(
            [
                "rehearse", desk.content, "--users", desk.folder.appending(path: "people.csv").path,
                "--from", "2026-03-23T00:00:00Z", "--days", "28", "--open-rate", "8",
            ] + more
        )
    }

    @Test("the example is rehearsed as its text says, in whatever process; each change is seen")
    func golden() throws {
        try withDesk { desk in
            let expected = desk.folder.appending(path: "rehearsal.txt").path
            let same = try rehearse(desk, ["--expect", expected])
            #expect(same.status == 0, "\(same.text)")
            let changes: [(String, String, String)] = [
                ("content/limits.yaml", "messages: 3", "messages: 1"),
                ("content/settings.yaml", "Europe/Berlin", "Europe/Lisbon"),
                ("content/campaigns/monday-tea.yaml", "\"09:30\"", "\"09:31\""),
                ("content/content-blocks/greeting.yaml", "Good morning", "Good day"),
                ("content/segments/club.yaml", "value: club", "value: free"),
                ("content/journeys/welcome.yaml", "duration: 86400", "duration: 172800"),
            ]
            for (path, old, new) in changes {
                try desk.edit(path) { $0.replacing(old, with: new) }
                let other = try rehearse(desk, ["--expect", expected])
                #expect(other.status == 1, "\(path)")
                #expect(other.text.contains("\n+ ") && other.text.contains("\n- "), "\(other.text)")
                try desk.edit(path) { $0.replacing(new, with: old) }
            }
        }
    }

    @Test("a plan names what follows from a segment, and stops where too many people change")
    func reach() throws {
        try withDesk { desk in
            let people = desk.folder.appending(path: "people.csv").path
            let imported = try desk.run(["import", "users", people] + desk.database)
            #expect(imported.status == 0, "\(imported.text)")
            func plan(_ more: [String] = []) throws -> (status: Int32, text: String) {
                try desk.run(["plan", desk.content] + desk.database + more)
            }
            let first = try plan()
            #expect(first.status == 0, "\(first.text)")
            let id = try #require(first.text.firstMatch(of: /Plan ([0-9a-f]+):/)?.output.1)
            let applied = try desk.run(["apply", desk.content, "--plan", "\(id)"] + desk.database)
            #expect(applied.status == 0, "\(applied.text)")

            try desk.edit("content/segments/club.yaml") {
                $0.replacing("value: club", with: "value: free")
            }
            let changed = try plan()
            #expect(changed.text.contains("changed  segments/club.yaml"))
            #expect(
                changed.text.contains("follows  campaigns/club-evening.yaml"),
                "\(changed.text)"
            )
            #expect(!changed.text.contains("monday-tea"))
            let counts = changed.text.matches(of: /reaches (\d+) users, (\d+) before/)
            #expect(counts.count == 2 && counts.allSatisfy { $0.output.1 != $0.output.2 })
            #expect(try plan(["--max-change", "1000"]).status == 0)
            let large = try plan(["--max-change", "20"])
            #expect(large.status == 1)
            #expect(large.text.contains("segments/club.yaml changes by more than 20 %"))
        }
    }

    @Test(
        "a plan says who lacks an attribute, how large the largest push is, and what the review warns of"
    )
    func review() throws {
        try withDesk { desk in
            // Sixty people, every seventh without a name, one with a long one; all in the club.
            let people = (0..<60).map { number in
                let id = String(format: "0190f6a0-0000-7000-8000-%012d", number)
                let name = number == 33 ? String(repeating: "A", count: 1_000) : "Ada"
                let attribute = number % 7 == 0 ? "" : #""first_name":"\#(name)","#
                return """
                    {"braze_id":"\(id)","external_id":"guest-\(number)",\(attribute)\
                    "custom_attributes":{"plan":"club"},"created_at":"2025-06-01T00:00:00.000Z",\
                    "session_count":0,"push_subscribe":"opted_in","devices":[{"id":"\(id)",\
                    "app":"com.example.tea","platform":"ios","updated_at":"2026-01-02T03:04:05.006Z",\
                    "push":{"provider":"apns","token":"00\(number + 10)","environment":"sandbox",\
                    "authorization":"authorized","registered_at":"2025-02-02T03:04:05.006Z"}}]}
                    """
            }
            let file = desk.folder.appending(path: "people.ndjson")
            try (people.joined(separator: "\n") + "\n")
                .write(to: file, atomically: true, encoding: .utf8)
            let app = ["app", "create", "--name", "Tea", "--bundle-id", "com.example.tea"]
            #expect(try desk.run(app + desk.database).status == 0)
            let imported = try desk.run(["import", "users", file.path] + desk.database)
            #expect(imported.status == 0, "\(imported.text)")
            try desk.edit("content/campaigns/club-evening.yaml") {
                $0.replacing(
                    #"{{${first_name} | default: "dear guest"}}"#,
                    with: "{{${first_name}}} {{custom_attribute.${plam}}}"
                )
            }
            let plan = try desk.run(["plan", desk.content] + desk.database)
            #expect(plan.status == 0, "\(plan.text)")
            let parts = plan.text.split(separator: "new      ")
            let club = try #require(parts.first { $0.hasPrefix("campaigns/club-evening") })
            // 9 of 60: 0, 7, … 56.
            #expect(club.contains("first_name: missing for 15.0 % of 60 users"), "\(plan.text)")
            #expect(club.contains("warning: No one has an attribute “plam”"), "\(plan.text)")
            #expect(club.contains("Did you mean “plan”?"))
            let size = try #require(
                club.firstMatch(of: /largest payload of 4,096 bytes: ios ([0-9,]+) \(guest-33\)/)
            )
            let bytes = try #require(Int(size.output.1.replacing(",", with: "")))
            #expect((1_100..<1_500).contains(bytes))
            #expect(!club.contains("android") && !club.contains("No device"))
            let journey = try #require(parts.first { $0.hasPrefix("journeys/welcome") })
            #expect(journey.contains("largest payload") && !journey.contains("missing"))
            // Nothing is stored by looking at it, and without counts nothing is read.
            let short = try desk.run(["plan", desk.content, "--no-counts"] + desk.database)
            #expect(short.text.contains("new      campaigns/club-evening.yaml"))
            #expect(!short.text.contains("largest payload"))
        }
    }

    @Test("git applies the patch for what was changed on the server, and plan finds nothing then")
    func patch() throws {
        try withDesk { desk in
            func git(_ arguments: [String]) throws -> (status: Int32, text: String) {
                let (status, text) = try ServerProcess.run(
                    URL(filePath: "/usr/bin/env"),
                    ["git", "-C", desk.folder.path] + arguments
                )
                return (status, text)
            }
            let people = desk.folder.appending(path: "people.csv").path
            _ = try desk.run(["import", "users", people] + desk.database)
            let plan = try desk.run(["plan", desk.content, "--no-counts"] + desk.database)
            let id = try #require(plan.text.firstMatch(of: /Plan ([0-9a-f]+):/)?.output.1)
            _ = try desk.run(["apply", desk.content, "--plan", "\(id)"] + desk.database)
            #expect(try desk.run(["patch"] + desk.database).text == "")

            let file = desk.folder.appending(path: "content.ndjson")
            let exported = try desk.run(
                ["export", "content", "--output", file.path] + desk.database
            )
            #expect(exported.status == 0, "\(exported.text)")
            try desk.edit("content.ndjson") {
                $0.replacing("Good morning", with: "Good day")
                    .replacing("\"value\":\"club\"", with: "\"value\":\"free\"")
                    .replacing("Europe/Berlin", with: "Europe/Lisbon")
            }
            let imported = try desk.run(["import", "content", file.path] + desk.database)
            #expect(imported.status == 0, "\(imported.text)")
            let behind = try desk.run(["plan", desk.content, "--no-counts"] + desk.database)
            #expect(!behind.text.contains(" 0 to change"))

            let patch = try desk.run(["patch"] + desk.database)
            let path = desk.folder.appending(path: "noroshi.patch")
            try patch.text.write(to: path, atomically: true, encoding: .utf8)
            for path in ["content-blocks/greeting.yaml", "segments/club.yaml", "settings.yaml"] {
                #expect(patch.text.contains("+++ b/\(path)\n"), "\(patch.text)")
            }
            _ = try git(["init", "-q"])
            let applied = try git(["apply", "--directory=content", path.path])
            #expect(applied.status == 0, "\(applied.text)\n\(patch.text)")
            let after = try desk.run(
                ["plan", desk.content, "--no-counts", "--expect-no-changes"] + desk.database
            )
            #expect(after.status == 0, "\(after.text)")
            let pulled = try desk.run(["pull", desk.content] + desk.database)
            #expect(pulled.text.contains("0 written, 0 removed"), "\(pulled.text)")
            let released = try desk.run(["apply", "--release"] + desk.database)
            #expect(released.text.contains("rows came from files"), "\(released.text)")
            #expect(try desk.run(["patch"] + desk.database).text == "")
        }
    }

    @Test("nothing of a rehearsal is in the database or the folder, and what is not there is named")
    func leavesNothing() throws {
        try withDesk { desk in
            let people = desk.folder.appending(path: "people.csv").path
            _ = try desk.run(["import", "users", people] + desk.database)
            let start = ["--from", "2026-03-23T00:00:00Z", "--days", "7"] + desk.database
            let rehearsed = try desk.run(["rehearse", desk.content] + start)
            #expect(rehearsed.status == 0, "\(rehearsed.text)")
            // Nothing of it is in the database.
            let plan = try desk.run(["plan", desk.content, "--expect-no-changes"] + desk.database)
            #expect(plan.status == 1 && plan.text.contains("new      campaigns/monday-tea.yaml"))
            #expect(!FileManager.default.fileExists(atPath: desk.content + "/noroshi.lock"))
            let missing = try desk.run(["rehearse", "Thursday tea"] + start)
            #expect(missing.status != 0)
            #expect(missing.text.contains("there is no campaign or journey 'Thursday tea'"))
        }
    }

    @Test(
        "a plan is reviewed and a folder rehearsed on a database of PostgreSQL as on a file",
        .enabled(
            if: TemporaryPostgres.isInstalled,
            "PostgreSQL's programs and libpq are not installed on this machine"
        )
    )
    func postgres() throws {
        try withDesk { desk in
            let people = desk.folder.appending(path: "people.csv").path
            let kinds: [StoreKind] = [.sqlite, .postgres]
            let found = try kinds.map { kind in
                let file = desk.folder.appending(path: "\(kind)")
                let database = try TestDatabase(at: file.path, on: kind).options
                let imported = try desk.run(["import", "users", people] + database)
                #expect(imported.status == 0, "\(imported.text)")
                let plan = try desk.run(["plan", desk.content] + database)
                #expect(plan.status == 0 && plan.text.contains("largest payload"), "\(plan.text)")
                let rehearsed = try desk.run(
                    ["rehearse", desk.content, "--days", "7", "--from", "2026-03-23T00:00:00Z"]
                        + ["--open-rate", "8"] + database
                )
                #expect(rehearsed.status == 0, "\(rehearsed.text)")
                // Nothing of either is in the database.
                let after = try desk.run(["plan", desk.content, "--no-counts"] + database)
                #expect(after.text.contains("new      campaigns/monday-tea.yaml"))
                return (plan.text, rehearsed.text)
            }
            #expect(found[1].0.contains("reached now") || found[1].0 == found[0].0)
            #expect(found[1].1 == found[0].1)
        }
    }
}
