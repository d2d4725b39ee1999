import Campaigns
import Foundation
import Model
import Ports
import Reasons

/// Renders the message of one send for its recipients.
struct SendRenderer: Sendable {
    enum Outcome: Sendable {
        case message(PushMessage, DeliveryOptions)
        case skip(reason: String)
        case overdue(reason: String)
    }

    /// When the send started.
    let startedAt: Date
    private let content: SendContent
    private let templates: SendTemplates?
    private let failure: String
    private let blocks: ContentBlockSet
    private let answerer: MessageDataSource
    private let renderer: MessageRenderer

    var options: DeliveryOptions { content.options }
    /// The required push subscription.
    var recipients: SubscriptionFilter { content.recipients ?? .subscribed }
    /// Whether a message may wait for external data.
    var asksQuestions: Bool { templates?.asksQuestions == true || blocks.asksQuestions }

    /// Parses the send's message and reads the content blocks that it names.
    init(_ send: Send, content: RendererCache.Content) async throws {
        startedAt = send.startedAt ?? send.scheduledAt
        self.content = send.content
        do {
            let templates = try SendTemplates(parsing: send.content)
            blocks = try await ContentBlockReader(store: content.store).blocks(
                named: templates.contentBlocks,
                of: send.id,
                in: send.workspace
            )
            self.templates = templates
            failure = ""
        } catch let error as ValidationError {
            // Checked when the send was made; a newer version may be stricter.
            templates = nil
            blocks = .none
            failure = error.problems.map { "\($0.field): \($0.message)" }
                .joined(separator: "; ")
        }
        renderer = content.renderer
        answerer = MessageDataSource(
            workspace: send.workspace,
            catalogs: content.catalogs,
            fetcher: content.fetcher
        )
    }

    /// - Throws: `ContentFetchError.unavailable` if the message must be rendered again later.
    func render(
        for claimed: ClaimedDispatch,
        dispatch: DispatchID,
        now: Date
    ) async throws -> Outcome {
        let platform = MessagePlatform(device: claimed.device.platform)
        guard content.onlyPlatforms?.contains(platform) ?? true else {
            return .skip(reason: "NoMessageForPlatform")
        }
        guard
            let (templates, options) = templates?.message(
                for: platform,
                variant: claimed.variant
            )
        else { return .skip(reason: "LiquidError: \(failure)") }
        let variables = ProfileVariables(
            profile: claimed.profile,
            device: claimed.device,
            app: claimed.app,
            send: content,
            dispatch: dispatch,
            variant: claimed.variant,
            properties: claimed.properties
        )
        let outcome = try await templates.render(
            for: variables,
            now: now,
            blocks: blocks,
            answerer: answerer,
            by: renderer
        )
        switch outcome {
        case .message(let message): return .message(message, options)
        case .skip(let reason): return .skip(reason: reason.description)
        case .overdue(let reason): return .overdue(reason: reason.description)
        }
    }
}

/// The renderers of running sends.
actor RendererCache {
    /// Maximum number of sends whose templates are cached.
    private static let limit = 64

    /// The sources of a message's content besides its own text.
    struct Content: Sendable {
        let store: any ContentBlockStore
        let catalogs: CatalogReader
        let fetcher: any ContentFetcher
        let renderer: MessageRenderer
    }

    private let store: any SendStore
    private let content: Content
    private var renderers: [SendID: SendRenderer] = [:]
    private var order: [SendID] = []

    init(store: any SendStore, content: Content) {
        self.store = store
        self.content = content
    }

    func renderer(of send: SendID) async throws -> SendRenderer {
        if let renderer = renderers[send] { return renderer }
        guard let stored = try await store.send(send) else {
            throw StoreError(.unreadable, .noSend, ["id": "\(send.rawValue)"])
        }
        let renderer = try await SendRenderer(stored, content: content)
        // Another task may have added it during the store call.
        if renderers.updateValue(renderer, forKey: send) == nil { order.append(send) }
        if order.count > Self.limit { renderers[order.removeFirst()] = nil }
        return renderer
    }
}
