import Credentials
import Crypto
import Foundation
import Model
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Credentials of apps")
struct CredentialServiceTests {
    /// Takes every VAPID key but an empty one, as text; other uploads are wrong.
    private struct Inspector: CredentialInspector {
        let vault: CredentialVault

        func check(
            _ upload: CredentialUpload,
            of app: App
        ) async throws -> (credentials: any Encodable & Sendable, facts: CredentialSummary) {
            guard case .vapidKey(let key?, let contact, _) = upload else {
                throw ValidationError([
                    FieldProblem(.credential(.json), Reason(CredentialReason.noAccount))
                ])
            }
            return ([key, contact], CredentialSummary(kind: .vapidKey, lines: [contact]))
        }

        func facts(of app: App, for provider: PushProvider) async throws -> CredentialSummary? {
            try await vault.credentials([String].self, app: app.id, provider: provider).map {
                CredentialSummary(kind: .vapidKey, lines: [$0[1]])
            }
        }

        func applicationServerKey(of app: App) async throws -> String? { nil }
    }

    private final class Providers: PushCredentialTests {
        let forgotten = Mutex<[AppID]>([])

        func testCredentials(of app: App) async throws -> [CredentialTestResult] {
            [CredentialTestResult(target: "Web Push", result: .works)]
        }

        func forgetCredentials(of app: App) { forgotten.withLock { $0.append(app.id) } }
    }

    private struct Site {
        let store: SQLStore
        let app: App
        let providers = Providers()

        func service(_ key: SymmetricKey) -> CredentialService {
            let now = { @Sendable in Date(timeIntervalSince1970: 1_790_000_000) }
            let vault = CredentialVault(store: store, key: key, now: now)
            return CredentialService(
                store: store,
                vault: vault,
                inspector: Inspector(vault: vault),
                providers: providers,
                now: now
            )
        }

        func member(_ role: Member.Role, of workspace: WorkspaceID? = nil) -> Actor {
            .member(
                Member(
                    id: MemberID(1),
                    workspace: workspace ?? app.workspace,
                    name: "Mai",
                    email: "mai@example.com",
                    role: role
                )
            )
        }

        func log() async throws -> [AuditRecord] {
            try await store.audit(in: app.workspace, matching: AuditQuery()).records
        }
    }

    private let upload = CredentialUpload.vapidKey(
        privateKey: "very secret",
        contact: "mailto:a@example.com",
        site: "https://shop.example"
    )

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-credentials-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        try await body(Site(store: store, app: try await StoreConformance(store).fixture().app))
    }

    @Test("what is saved is used at once, and in the log once without its secret")
    func save() async throws {
        try await withSite { site in
            let service = site.service(SymmetricKey(size: .bits256))
            for actor in [
                site.member(.administrator),
                .commandLine(account: "root", site.app.workspace),
            ] {
                let facts = try await service.save(upload, of: site.app, by: actor)
                #expect(facts.lines == ["mailto:a@example.com"])
                #expect(try await service.facts(of: site.app) == [facts])
            }
            #expect(site.providers.forgotten.withLock { $0 } == [site.app.id, site.app.id])
            let log = try await site.log()
            #expect(log.map(\.action) == ["credentials_saved", "credentials_saved"])
            #expect(Set(log.map(\.subject)) == ["#\(site.app.id)"])
            #expect(Set(log.map(\.detail)) == ["vapidKey"])
            #expect(log.map(\.origin) == [.commandLine, .console])
        }
    }

    @Test("of uploads at once one is stored whole, and each is in the log")
    func atOnce() async throws {
        try await withSite { site in
            let service = site.service(SymmetricKey(size: .bits256))
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask {
                        try await service.save(
                            .vapidKey(
                                privateKey: "key \(number)",
                                contact: "mailto:\(number)@example.com",
                                site: ""
                            ),
                            of: site.app,
                            by: site.member(.administrator)
                        )
                    }
                }
                try await group.waitForAll()
            }
            let facts = try await service.facts(of: site.app)
            let contacts = (0..<8).map { ["mailto:\($0)@example.com"] }
            #expect(facts.count == 1 && contacts.contains(facts[0].lines))
            #expect(try await site.log().count == 8)
        }
    }

    @Test("who is no administrator of the app's workspace neither saves nor tries anything")
    func roles() async throws {
        try await withSite { site in
            let service = site.service(SymmetricKey(size: .bits256))
            let other = try await site.store.createWorkspace(
                name: "Other",
                timeZone: "UTC",
                now: Date(timeIntervalSince1970: 0)
            )
            for actor in [
                site.member(.viewer), site.member(.marketer),
                site.member(.administrator, of: other),
                .commandLine(account: "root", other),
            ] {
                await #expect(throws: NotAllowedError.self) {
                    try await service.save(upload, of: site.app, by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await service.test(site.app, by: actor)
                }
            }
            #expect(try await service.facts(of: site.app) == [])
            #expect(try await site.log() == [])
            let trials = try await service.test(site.app, by: site.member(.administrator))
            #expect(trials.map(\.result) == [.works])
        }
    }

    @Test("what the client refuses is not stored")
    func problem() async throws {
        try await withSite { site in
            let service = site.service(SymmetricKey(size: .bits256))
            await #expect(throws: ValidationError.self) {
                try await service.save(
                    .fcmAccount(json: []),
                    of: site.app,
                    by: site.member(.administrator)
                )
            }
            let log = try await site.log()
            #expect(log == [])
            #expect(site.providers.forgotten.withLock { $0 } == [])
        }
    }

    @Test("what another key has sealed is there with a warning, and can be entered again")
    func otherKey() async throws {
        try await withSite { site in
            let actor = site.member(.administrator)
            try await site.service(SymmetricKey(size: .bits256)).save(
                upload,
                of: site.app,
                by: actor
            )
            let service = site.service(SymmetricKey(size: .bits256))
            let warning = Reason(CredentialReason.otherKey)
            #expect(
                try await service.facts(of: site.app)
                    == [CredentialSummary(kind: .vapidKey, lines: [], warning: warning)]
            )
            let warnings = try await service.warnings(in: site.app.workspace)
            #expect(warnings.map(\.reason) == [warning])
            try await service.save(upload, of: site.app, by: actor)
            #expect(try await service.warnings(in: site.app.workspace).isEmpty)
        }
    }

    @Test("names and passwords of connected content are saved and deleted by administrators alone")
    func basic() async throws {
        try await withSite { site in
            let vault = BasicCredentialVault(
                store: site.store,
                key: SymmetricKey(size: .bits256),
                now: { Date(timeIntervalSince1970: 0) }
            )
            let credentials = BasicCredentials(user: "tea", password: "very secret")
            await #expect(throws: NotAllowedError.self) {
                try await vault.save(credentials, named: "shop", by: site.member(.marketer))
            }
            let actor = site.member(.administrator)
            try await vault.save(credentials, named: "shop", by: actor)
            #expect(try await vault.names(in: site.app.workspace) == ["shop"])
            #expect(
                try await vault.credentials(named: "shop", in: site.app.workspace) == credentials
            )
            await #expect(throws: NotAllowedError.self) {
                try await vault.delete("shop", by: site.member(.viewer))
            }
            #expect(try await vault.delete("shop", by: actor))
            #expect(try await !vault.delete("shop", by: actor))
            let log = try await site.log()
            #expect(log.map(\.action) == ["basic_auth_deleted", "basic_auth_saved"])
            #expect(log.allSatisfy { !($0.subject + $0.detail).contains("secret") })
        }
    }
}
