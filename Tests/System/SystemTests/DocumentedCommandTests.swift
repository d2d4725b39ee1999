import BucketTesting
import Foundation
import PostgresTesting
import Server
import StoreConformance
import Testing

/// The documents' commands are run as they stand, one after the other. What installs packages, builds or
/// needs Docker is left out: `./noroshi packaging` tries that on a bare Debian.
@Suite("Commands in the documents", .serialized)
struct DocumentedCommandTests {
    private func run(
        _ document: String,
        leavingOut: [String] = [],
        preparation: String = "",
        replacing: [(String, String)] = []
    ) throws {
        var commands = try DocumentedCommands(document)
        for part in leavingOut {
            let kept = commands.blocks.filter { !$0.contains(part) }
            #expect(
                kept.count < commands.blocks.count,
                "\(document) has no block with '\(part)' any more"
            )
            commands = DocumentedCommands(blocks: kept)
        }
        #expect(!commands.blocks.isEmpty, "\(document) has no commands")
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-document-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (succeeded, output) = try commands.run(
            in: folder,
            preparation: preparation,
            replacing: replacing
        )
        #expect(succeeded, "\(document):\n\(output)")
    }

    private static let signingKey = """
        openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey.p8

        """

    private static let example = """
        cp -r '\(DocumentedCommands.root.path)/Examples/content-repository/.' .

        """

    @Test("the README's commands work as they stand", .aboutFiles)
    func readme() throws {
        try run(
            "README.md",
            leavingOut: ["./noroshi demo"],
            preparation: Self.signingKey + """
                openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out account.pem
                {
                    printf '{"type":"service_account","project_id":"tea","private_key_id":"1",'
                    printf '"client_email":"push@tea.example","token_uri":"https://oauth2.googleapis.com/token",'
                    printf '"private_key":"%s"}' "$(awk '{printf "%s\\\\n", $0}' account.pem)"
                } > service-account.json
                ./noroshi app create --name Android --platform android --bundle-id com.example.app.android
                ./noroshi app create --name Web --platform web --bundle-id https://www.example.com
                """,
            replacing: [
                ("--key-id …", "--key-id ABCDE12345"), ("--team-id …", "--team-id ABCDE12345"),
                ("mailto:…", "mailto:ops@example.com"),
                ("--site https://…", "--site https://www.example.com"),
                ("$KEY", "$(tail -1 key)"),
            ]
        )
    }

    @Test("those of docs/operating.md do", .aboutFiles)
    func operating() async throws {
        var bucket = BucketServer.Settings(now: ServerDependencies.live.now)
        bucket.bucket = "tea-backups"
        bucket.region = "eu-central-1"
        bucket.secret = "secret/of+documents"
        let store = try await BucketServer.start(bucket)
        let postgres = TemporaryPostgres.isInstalled ? try PushSite.newPostgres() : nil
        try run(
            "docs/operating.md",
            // Ada has no second factor to be removed; `MovingTests` moves a database.
            leavingOut: ["docker", "apt install", "remove-second-factor", "noroshi move"]
                + (postgres == nil ? ["--node tea-1"] : []),
            preparation: """
                openssl rand -base64 32 > etc/secret.key
                openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 30 \\
                    -keyout etc/key.pem -out etc/certificate.pem 2>/dev/null
                openssl rand -base64 24 > etc/passphrase
                openssl rand -hex 16 > secret.txt
                printf 'aws_access_key_id=AKIDTEST\naws_secret_access_key=secret/of+documents\n' \\
                    > etc/bucket
                ./noroshi member create --name Ada --email ada@example.com
                """,
            replacing: [
                ("main/noroshi-20261124T030000Z", "main/$(grep -om1 'noroshi-[0-9TZ]*' last)"),
                ("noroshi-20261124T030000Z", "$(ls backups | tail -1)"),
                ("https://s3.example.com", store.url),
                ("postgres://noroshi@db.example.com/noroshi", postgres ?? ""),
                // There is no company with a provider here: `oidc_test.py` has one.
                ("./noroshi member oidc try ", "true "),
            ]
        )
        #expect(store.objects.count == 3)
        await store.stop()
    }

    @Test("those of docs/ios.md do")
    func integration() throws {
        try run(
            "docs/ios.md",
            preparation: Self.signingKey + """
                ./noroshi apikey create --name crm --permissions users.track,messages.send
                ./noroshi serve --listen 127.0.0.1:0
                """,
            replacing: [
                ("--key-id …", "--key-id ABCDE12345"), ("--team-id …", "--team-id ABCDE12345"),
                ("$NOROSHI_API_KEY", "$(tail -1 key)"),
                ("https://push.example.com", "$(sed 's/.*on //' serve.out)"),
            ]
        )
    }

    @Test(
        "those on content files do",
        arguments: ["docs/content-files.md", "docs/content-folder.md"]
    )
    func content(document: String) throws {
        try run(
            document,
            preparation: Self.example + """
                ./noroshi import users people.csv
                ./noroshi plan content
                ./noroshi apply content --plan "$(sed -n 's/^Plan \\([0-9a-f]*\\):.*/\\1/p' last)"
                sed -i 's/Good morning/Good day/' content/content-blocks/greeting.yaml
                cp -r content other
                """,
            replacing: [
                ("Abandoned cart", "Welcome"), ("pull content", "pull other"),
                ("3f9a61c0d2be", "$(sed -n 's/^Plan \\([0-9a-f]*\\):.*/\\1/p' last)"),
            ]
        )
    }

    @Test(
        "those on rehearsals do",
        arguments: ["docs/rehearsal.md", "Examples/content-repository/README.md"]
    )
    func rehearsal(document: String) throws {
        try run(
            document,
            preparation: Self.example + """
                ./noroshi import users people.csv
                ./noroshi plan content
                ./noroshi apply content --plan "$(sed -n 's/^Plan \\([0-9a-f]*\\):.*/\\1/p' last)"
                mkdir -p content
                ./noroshi rehearse content --users people.csv --from 2026-03-25T00:00:00Z \\
                    --output content/rehearsal.txt
                """,
            replacing: [("Friday tea", "Monday tea")]
        )
    }

    @Test("those on the simulators do")
    func simulators() throws {
        try run("docs/simulators.md", preparation: "echo '{}' > faults.json")
    }
}
