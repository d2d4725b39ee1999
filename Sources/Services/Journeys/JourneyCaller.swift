import Campaigns
import Crypto
import Foundation
import Liquid
import Logging
import Model
import Ports
import Reasons
import ServiceLifecycle
import WorkLoops

/// Makes the calls of webhook steps: each until a server takes it, at most for a day.
///
/// A call names its entry and passage in `Idempotency-Key`, so that a server can drop one that comes
/// again after a crash. It is signed: `X-Noroshi-Signature` is `t=SECONDS,v1=HEX`, where `HEX` is the
/// HMAC-SHA256 of the seconds, a dot and the body, with the workspace's signing key.
package struct JourneyCaller: Service {
    package struct Settings: Sendable {
        package var idlePause: Duration = .seconds(1)
        /// Maximum number of calls at the same time.
        package var chunk = 32
        package var lease: TimeInterval = 60
        package var attempts = 12

        package init() {}
    }

    private let store: any Store
    private let fetcher: any ContentFetcher
    private let renderer: MessageRenderer
    private let catalogs: CatalogReader
    private let key: WebhookKey
    private let settings: Settings
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameter fetcher: Connects only to addresses that it has checked.
    package init(
        store: any Store,
        fetcher: any ContentFetcher,
        renderer: MessageRenderer,
        catalogs: CatalogReader,
        key: WebhookKey,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.fetcher = fetcher
        self.renderer = renderer
        self.catalogs = catalogs
        self.key = key
        self.settings = settings
        self.now = now
        self.logger = logger
    }

    package func run() async {
        await WorkLoop(
            pause: settings.idlePause,
            logger: logger,
            failure: "calls of journeys could not be made and will be again",
            key: "journeys.error"
        ).run { try await step() }
    }

    /// Makes the calls that are due now.
    ///
    /// - Returns: Whether there were any.
    package func step() async throws -> Bool {
        let now = now()
        let calls = try await store.claimJourneyCalls(
            leaseEnd: now.addingTimeInterval(settings.lease),
            now: now,
            limit: settings.chunk
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for call in calls {
                group.addTask {
                    try await store.record(try await make(call, now), of: call.id)
                }
            }
            try await group.waitForAll()
        }
        return !calls.isEmpty
    }

    private func make(_ call: JourneyCall, _ now: Date) async throws -> JourneyCallOutcome {
        guard
            let version = try await store.journeyVersion(call.version, of: call.entry.journey),
            let index = version.definition.steps.firstIndex(where: { $0.id == call.step }),
            case .webhook(let webhook) = version.definition.steps[index].kind,
            let profile = try await store.profile(call.entry.profile)
        else { return .failed(status: nil, reason: "the step or the user is gone") }
        let request: ConnectedContentRequest
        switch try await render(webhook, index, profile, call, now) {
        case .success(let rendered): request = rendered
        case .failure(let problem): return .failed(status: nil, reason: problem.reason)
        }
        do {
            let response = try await fetcher.fetch(request, for: call.workspace)
            switch response.status {
            case 200..<300: return .done(status: response.status)
            case 0, 408, 425, 429, 500...599:
                return retry(call, now, response.status, "the server answered \(response.status)")
            default:
                let reason = "the server answered \(response.status)"
                return .failed(status: response.status, reason: reason)
            }
        } catch ContentFetchError.refused(let reason) {
            return .failed(status: nil, reason: "\(reason)")
        } catch ContentFetchError.unavailable(let reason) {
            return retry(call, now, nil, "\(reason)")
        }
    }

    private struct Unrendered: Error { var reason: String }

    private func render(
        _ webhook: JourneyWebhook,
        _ index: Int,
        _ profile: Profile,
        _ call: JourneyCall,
        _ now: Date
    ) async throws -> Result<ConnectedContentRequest, Unrendered> {
        var webhook = webhook
        do {
            let templates = try WebhookTemplates(parsing: webhook, ofStep: index)
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.texts.contentBlocks,
                in: call.workspace
            )
            let outcome = try await templates.texts.render(
                for: ProfileVariables(profile: profile, properties: call.entry.properties),
                options: renderer.options(now, blocks),
                answerer: MessageDataSource(
                    workspace: call.workspace,
                    catalogs: catalogs,
                    fetcher: fetcher
                ),
                by: renderer,
                strikes: RenderStrikes()
            )
            switch outcome {
            case .rendered(let texts):
                for (place, text) in texts {
                    switch place {
                    case .url: webhook.url = text
                    case .body: webhook.body = text
                    case .header(let name): webhook.headers[name] = text
                    default: break
                    }
                }
            case .aborted(let reason):
                return .failure(Unrendered(reason: "aborted: \(reason)"))
            case .failed(_, let error): return .failure(Unrendered(reason: "\(error.whole)"))
            }
        } catch let error as ValidationError {
            return .failure(Unrendered(reason: "\(error)"))
        }
        return .success(signed(webhook, call, now))
    }

    private func signed(
        _ webhook: JourneyWebhook,
        _ call: JourneyCall,
        _ now: Date
    ) -> ConnectedContentRequest {
        var request = ConnectedContentRequest(url: webhook.url)
        request.method = webhook.method.rawValue
        request.headers = webhook.headers
        request.headers["Idempotency-Key"] = "\(call.entry.id)-\(call.passage)"
        request.headers["X-Noroshi-Signature"] = key.signature(
            of: webhook.body,
            in: call.workspace,
            at: now
        )
        request.body = webhook.body.isEmpty ? nil : webhook.body
        let hasType = webhook.headers.keys.contains { $0.lowercased() == "content-type" }
        if !webhook.body.isEmpty, !hasType { request.contentType = "application/json" }
        request.cacheSeconds = 0
        return request
    }

    /// Waits twice as long after each failure, from ten seconds to two hours.
    private func retry(
        _ call: JourneyCall,
        _ now: Date,
        _ status: Int?,
        _ reason: String
    ) -> JourneyCallOutcome {
        guard call.attempts + 1 < settings.attempts else {
            return .failed(status: status, reason: reason)
        }
        let pause = min(10 * pow(2, Double(call.attempts)), 7_200)
        return .retry(at: now.addingTimeInterval(pause), status: status, reason: reason)
    }
}
