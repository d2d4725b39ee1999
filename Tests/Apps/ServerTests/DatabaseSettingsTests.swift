import Foundation
import Model
import Ports
import Server
import StoreSQL
import Testing

@Suite("Where the database is")
struct DatabaseSettingsTests {
    private func load(_ options: [String: String]) async throws -> Settings {
        try await Settings.load(options: options, configurationFile: nil, environment: [:])
    }

    private func problem(_ options: [String: String]) async -> String {
        do {
            return "\(try await load(options))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "is a file or an address",
        arguments: [
            ("sqlite:tea.sqlite", DatabaseLocation.file("tea.sqlite")),
            ("/srv/tea.sqlite", .file("/srv/tea.sqlite")),
            ("postgres://db/tea", .postgres("postgres://db/tea")),
            ("postgresql:///tea", .postgres("postgresql:///tea")),
            ("postgres:host=db dbname=tea", .postgres("host=db dbname=tea")),
        ]
    )
    func kinds(text: String, location: DatabaseLocation) async throws {
        #expect(try await load(["database": text]).database == location)
    }

    @Test("is a file beside which the key is, without a setting")
    func standard() async throws {
        let settings = try await load([:])
        #expect(settings.database == .file("noroshi.sqlite"))
        #expect(settings.secretKeyPath == "noroshi.sqlite.key")
        #expect(try await load(["database": "postgres://db/tea"]).secretKeyPath.isEmpty)
    }

    @Test(
        "is named to people without a user and a password",
        arguments: [
            (
                "postgres://mio:pass@db.example:5433/tea?sslmode=require",
                "postgres://db.example:5433/tea"
            ),
            ("postgres://mio:p@ss@one:1,two:2/tea", "postgres://one:1,two:2/tea"),
            ("postgres://mio@/tea?host=%2Frun%2Fpg&password=pass", "postgres:///run/pg/tea"),
            ("postgres://db", "postgres://db"),
            ("postgres://[::1]:5432/tea", "postgres://[::1]:5432/tea"),
            ("postgres://mio:pa/ss@db/tea", "postgres://…"),
            (
                "postgres:host=db port=5433 dbname='tea house' password='a b\\'c' user=mio",
                "postgres://db:5433/tea house"
            ),
            ("postgres:host=db password=a://b", "postgres://db"),
            ("postgres:dbname = tea password = pass", "postgres:///tea"),
            ("sqlite:/srv/tea.sqlite", "/srv/tea.sqlite"),
        ]
    )
    func names(text: String, name: String) {
        #expect(DatabaseLocation(text).name == name)
        #expect("\(DatabaseLocation(text))" == name)
        #expect(String(reflecting: DatabaseLocation(text)) == name)
    }

    @Test("what is neither is refused, without what follows its scheme")
    func unknown() async {
        let text = await problem(["database": "mysql://mio:pass@db/tea"])
        #expect(text.contains("'mysql://…'") && text.contains("postgres://HOST"), "\(text)")
        for empty in ["sqlite:", "postgres:", ""] {
            let text = await problem(["database": empty])
            #expect(text.contains("use sqlite:FILE"), "\(empty): \(text)")
        }
    }

    @Test("may have a pooler before it, which is never named with its password")
    func pooler() async throws {
        let pooler = "postgres://mio:pass@pool:6432/tea"
        let settings = try await load([
            "database": "postgres://db/tea", "database-pooler": pooler,
        ])
        #expect(settings.databasePooler == .postgres(pooler))
        #expect(try await load(["database": "postgres://db/tea"]).databasePooler == nil)
        let ofFile = await problem(["database": "tea.sqlite", "database-pooler": pooler])
        #expect(ofFile.contains("'database-pooler' is given, and the database is a file"))
        for text in ["tea.sqlite", "", "mysql://mio:pass@pool/tea"] {
            let words = await problem([
                "database": "postgres://db/tea", "database-pooler": text,
            ])
            #expect(words.contains("use postgres://HOST"), "\(text): \(words)")
            #expect(!words.contains("pass"), "\(words)")
        }
    }

    @Test("on PostgreSQL says what a server of several does; one of a file does everything")
    func roles() async throws {
        let address = "postgres://db/tea"
        #expect(try await load(["database": address]).roles == .all)
        let worker = try await load(["database": address, "roles": "leadership, delivery"])
        #expect(worker.roles == [.delivery, .leadership])
        #expect(worker.roles.text == "delivery,leadership")
        for text in ["", "requests,", "sending", "requests;delivery", "requ ests"] {
            let words = await problem(["database": address, "roles": text])
            #expect(words.contains("requests, delivery, leadership"), "\(text): \(words)")
        }
        let ofFile = await problem(["database": "tea.sqlite", "roles": "requests"])
        #expect(ofFile.contains("'roles' leaves something out"), "\(ofFile)")
        let all = ["database": "tea.sqlite", "roles": "requests,delivery,leadership"]
        #expect(try await load(all).roles == .all)
    }

    @Test("on PostgreSQL, what is for files is refused with what to use instead")
    func refusals() async {
        let address = "postgres://db/tea"
        let durability = await problem(["database": address, "synchronous": "normal"])
        #expect(durability.contains("synchronous_commit"), "\(durability)")
        let backups = await problem([
            "database": address, "backup-folder": "/var/backups",
            "backup-passphrase": "correct horse battery",
        ])
        #expect(backups.contains("pg_basebackup"), "\(backups)")
    }

    @Test("on PostgreSQL the key is given and there, as another server's may be")
    func key() async throws {
        var settings = Settings(database: .postgres("postgres://db/tea"))
        func problem() -> String {
            do {
                _ = try SecretKey.load(settings) { [UInt8](repeating: 1, count: $0) }
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(problem().contains("is not given"))
        let file = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-key-\(UUID().uuidString)")
        settings.secretKeyPath = file.path
        #expect(problem().contains("is not there"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try Data(Data(repeating: 7, count: 32).base64EncodedString().utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(problem().isEmpty)
    }
}
