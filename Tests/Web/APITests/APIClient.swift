import API
import Accounts
import Analytics
import Audience
import Campaigns
import Content
import ContentFiles
import ContentFolders
import ContentTesting
import Credentials
import Crypto
import Delivery
import Facts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppMessages
import Ingestion
import JSON
import Journeys
import Logging
import Model
import NIOCore
import News
import NoroshiWire
import Ports
import RehearsalTesting
import Rehearsals
import Retention
import Sends
import StoreConformance
import StoreSQL
import StoreTesting
import Testing
import Users

/// Someone else's program that talks to the API of a server over an empty database.
struct APIClient {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    let store: any Store
    let campaigns: CampaignService
    let planner: SendPlanner
    let audience: SegmentationService
    let journeys: JourneyService
    /// Moves people through journeys when it is told to.
    let runner: JourneyRunner
    let workspace: WorkspaceID
    var actor: Actor { .commandLine(account: "mio", workspace) }
    let app: App
    let secret: String
    let accounts: AccountService
    /// Where files wait that can be read in.
    let syncFolder: URL
    /// Method and path of every route that is served.
    let routes: [String]
    private let line: Line

    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: JSONValue

        /// For a person; SCIM calls it the detail.
        var message: String { (body["message"] ?? body["detail"])?.stringValue ?? "" }
        var errors: [JSONValue] { body["errors"]?.arrayValue ?? [] }
    }

    /// Runs `work` against a server whose ingestion runs.
    static func run(
        limits: RateLimits = RateLimits(),
        changingLimits: (@Sendable () -> RateLimits)? = nil,
        servers: @escaping @Sendable () -> Int = { 1 },
        ingestionLimits: IngestionService.Limits = IngestionService.Limits(),
        ingestStore: (any IngestStore) -> any IngestStore = { $0 },
        overSocket: Bool = false,
        now: @escaping @Sendable () -> Date = { APIClient.now },
        _ work: @escaping @Sendable (APIClient) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-api-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let accounts = AccountService(
            store: store,
            now: now,
            random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } },
            // They protect nothing here; those of AccountsTests are the real ones.
            hasher: PasswordHasher(rounds: 16)
        )
        let ingestion = IngestionService(
            store: ingestStore(store),
            feed: ChangeFeed(),
            limits: ingestionLimits,
            now: now,
            logger: logger
        )
        let composer = PushComposer(store: store, now: now) { _, _ in }
        let audience = SegmentationService(store: store, now: now, logger: logger)
        let planner = SendPlanner(store: store, audience: audience, now: now)
        let campaigns = CampaignService(store: store, planner: planner, now: now) { _, _ in }
        let journeys = JourneyService(store: store, audience: audience, now: now) { _, _ in }
        let runner = JourneyRunner(
            store: store,
            audience: audience,
            now: now,
            announce: { _, _ in },
            logger: logger
        )
        let syncs = FileSyncService(
            folder: IntegrationFolder(path: folder.path),
            store: store,
            ingestion: ingestion,
            now: now,
            logger: logger
        )
        let router = Router(context: APIRequestContext.self)
        let makeID: @Sendable () -> UUID = { UUID() }
        let reports = ReportService(audience: audience, now: now)
        let questions = ReportQuestionReader(
            reports: reports,
            segments: SegmentService(store: store, now: now),
            audience: audience,
            now: now
        )
        let rehearsals = RehearsalService(
            store: store,
            server: UUID(),
            source: RehearsalService.Source(size: { (1, 100) }) {
                let path = folder.appending(path: "\(UUID().uuidString).sqlite").path
                return RehearsalService.Copy(try await store.playground(at: path)) {
                    try? FileManager.default.removeItem(atPath: path)
                }
            },
            payload: PayloadMeter(limit: 4_096) { $0.body.utf8.count },
            now: now,
            uptime: { .zero },
            logger: logger
        )
        let services = APIServices(
            accounts: accounts,
            members: MemberDirectory(store: store, accounts: accounts, now: now),
            secondFactors: SecondFactorService(
                store: store,
                accounts: accounts,
                vault: SecondFactorVault(key: SymmetricKey(data: Data(repeating: 7, count: 32))),
                now: now
            ),
            passkeys: PasskeyService(store: store, accounts: accounts, now: now),
            apps: AppService(store: store, now: now, makeToken: accounts.token),
            workspaces: WorkspaceService(store: store, now: now),
            retention: RetentionService(
                store: store,
                now: now,
                uptime: { .zero },
                logger: logger
            ),
            facts: FactService(store: store, pause: {}),
            factWebhooks: FactWebhookService(
                store: store,
                vault: FactWebhookVault(key: SymmetricKey(data: Data(repeating: 7, count: 32))),
                now: now,
                random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } },
                makeID: makeID
            ),
            audit: AuditLog(store: store, origin: .api, now: now),
            sdkKeys: SDKKeyService(store: store, now: now, makeID: makeID),
            ingestion: ingestion,
            syncs: syncs,
            users: UserService(store: store, now: now),
            directory: UserDirectory(store: store, figures: ReportCache(feed: ChangeFeed())),
            archive: UserArchive(store: store, now: now),
            links: ExportLinkService(store: store, now: now, makeToken: accounts.token),
            callback: nil,
            subscriptions: SubscriptionGroupService(store: store, now: now, makeID: makeID),
            preferenceCenters: PreferenceCenterService(
                store: store,
                links: PreferenceLinks(key: SymmetricKey(data: Data(repeating: 7, count: 32))),
                now: now,
                makeID: makeID
            ),
            audience: audience,
            segments: SegmentService(store: store, now: now),
            series: SeriesService(store: store, audience: audience),
            activityReports: reports,
            questions: questions,
            savedReports: SavedReportService(
                store: store,
                reports: reports,
                reader: questions,
                webhooks: ReportWebhookSigner(
                    key: SymmetricKey(data: Data(repeating: 7, count: 32))
                ),
                now: now,
                makeID: makeID
            ),
            limits: LimitService(store: store, now: now),
            events: EventCatalog(
                store: store,
                figures: ReportCache(feed: ChangeFeed()),
                now: now
            ),
            composer: composer,
            control: SendControl(store: store, now: now),
            campaigns: campaigns,
            reports: CampaignReports(store: store),
            funnels: MessageFunnels(store: store, now: now),
            explainer: DeliveryExplainer(store: store, audience: audience, now: now),
            journeys: journeys,
            journeyForms: JourneyForms(store: store, now: now),
            inAppMessages: InAppMessageService(
                store: store,
                audience: audience,
                fetcher: NoContent(),
                now: now
            ),
            news: NewsService(store: store, now: now),
            blocks: ContentBlockService(store: store, now: now, makeID: makeID),
            catalogs: CatalogService(store: store, now: now),
            folders: FolderOwnership(store: store, now: now),
            rehearsals: rehearsals,
            contentFiles: ContentFileService(store: store, now: now)
        )
        try APIRoutes(
            services: services,
            limits: changingLimits ?? { limits },
            servers: servers,
            now: now
        ).add(to: router)
        let routes = router.routes.map { "\($0.method) \($0.path)" }
        let fixture = try await StoreConformance(store).fixture()
        let secret = try await accounts.createAPIKey(
            name: "all",
            permissions: APIKey.permissionsByName.union(["*"]),
            by: .commandLine(account: "test", fixture.workspace)
        )
        let application = Application(
            router: router,
            services: [audience, ingestion, syncs, rehearsals],
            logger: logger
        )
        @Sendable func begin(_ line: Line) async throws {
            // Nobody asks a server for its segments before it says that it is ready.
            while !audience.status.isReady { try await Task.sleep(for: .milliseconds(5)) }
            try await work(
                APIClient(
                    store: store,
                    campaigns: campaigns,
                    planner: planner,
                    audience: audience,
                    journeys: journeys,
                    runner: runner,
                    workspace: fixture.workspace,
                    app: fixture.app,
                    secret: secret,
                    accounts: accounts,
                    syncFolder: folder,
                    routes: routes,
                    line: line
                )
            )
        }
        guard overSocket else {
            return try await application.test(.router) { try await begin(.process($0)) }
        }
        try await application.test(.live) { client in
            // The framework's own client gives up after some seconds, whoever keeps the processors busy.
            try await TestClient.withClient(
                host: "localhost",
                port: try #require(client.port),
                configuration: TestClient.Configuration(timeout: .seconds(3_600))
            ) { try await begin(.socket($0)) }
        }
    }

    /// How requests reach the application.
    enum Line: Sendable {
        case process(any TestClientProtocol)
        case socket(TestClient)

        func ask(
            _ path: String,
            _ method: HTTPRequest.Method,
            _ headers: HTTPFields,
            _ body: ByteBuffer?
        ) async throws -> (status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer) {
            switch self {
            case .process(let client):
                let answer = try await client.execute(
                    uri: path,
                    method: method,
                    headers: headers,
                    body: body
                )
                return (answer.status, answer.headers, answer.body)
            case .socket(let client):
                var headers = headers
                headers[.connection] = "keep-alive"
                let answer = try await client.execute(
                    TestClient.Request(
                        path,
                        method: method,
                        authority: "localhost",
                        headers: headers,
                        body: body
                    )
                )
                return (answer.head.status, answer.head.headerFields, answer.body ?? ByteBuffer())
            }
        }
    }

    func post(
        _ path: String,
        _ body: JSONValue,
        key: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await post(
            path,
            bytes: try JSONEncoder().encode(body),
            key: key,
            headers: headers
        )
    }

    func post(
        _ path: String,
        bytes: Data,
        key: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.authorization] = "Bearer \(key ?? secret)"
        return try await send(path, .post, headers, ByteBuffer(bytes: bytes))
    }

    func get(_ path: String, key: String? = nil) async throws -> Answer {
        try await send(path, .get, [.authorization: "Bearer \(key ?? secret)"], nil)
    }

    /// What is no JSON.
    func bytes(_ path: String) async throws -> [UInt8] {
        let response = try await line.ask(path, .get, [:], nil)
        #expect(response.status == .ok)
        return Array(response.body.readableBytesView)
    }

    func text(_ path: String) async throws -> String {
        String(decoding: try await bytes(path), as: UTF8.self)
    }

    func send(
        _ path: String,
        _ method: HTTPRequest.Method,
        _ headers: HTTPFields,
        _ body: ByteBuffer?
    ) async throws -> Answer {
        let response = try await line.ask(path, method, headers, body)
        let content = response.body.readableBytesView
        return Answer(
            status: response.status,
            headers: response.headers,
            body: response.headers[.contentType] == "application/x-ndjson"
                ? .array(
                    try content.split(separator: UInt8(ascii: "\n")).map { try JSONReader.read($0) }
                )
                : content.isEmpty ? .null : try JSONReader.read(content)
        )
    }

    /// A page for browsers.
    struct Page {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let text: String
    }

    func page(
        _ path: String,
        _ method: HTTPRequest.Method,
        headers: HTTPFields = [:],
        _ body: ByteBuffer?
    ) async throws -> Page {
        let response = try await line.ask(path, method, headers, body)
        return Page(
            status: response.status,
            headers: response.headers,
            text: String(buffer: response.body)
        )
    }

    /// A key that may use only the named endpoints.
    func key(
        _ permissions: Set<String>,
        from addresses: [AddressRange] = [],
        in other: WorkspaceID? = nil
    ) async throws -> String {
        try await accounts.createAPIKey(
            name: permissions.sorted().joined(separator: "+")
                + addresses.map(\.description).joined(),
            permissions: permissions,
            allowedAddresses: addresses,
            by: .commandLine(account: "test", other ?? workspace)
        )
    }

    func profile(_ externalID: String) async throws -> Profile? {
        try await store.profile(.external(externalID), in: workspace)
    }
}
