import Campaigns
import Foundation
import Model
import Ports

/// Renders the message of one send for its recipients.
struct SendRenderer: Sendable {
    enum Outcome: Sendable {
        case message(PushMessage, DeliveryOptions)
        case skip(reason: String)
    }

    private let content: SendContent
    private let templates: PushTemplates?
    private let failure: String

    init(_ content: SendContent) {
        self.content = content
        do {
            templates = try PushTemplates(parsing: content.message)
            failure = ""
        } catch {
            // Checked when the send was made; a newer version may be stricter.
            templates = nil
            failure = error.problems.map { "\($0.field): \($0.message)" }.joined(separator: "; ")
        }
    }

    func render(for claimed: ClaimedDispatch, now: Date) -> Outcome {
        guard let templates else { return .skip(reason: "LiquidError: \(failure)") }
        let variables = ProfileVariables(
            profile: claimed.profile,
            device: claimed.device,
            app: claimed.app,
            send: content,
            dispatch: claimed.dispatch
        )
        switch templates.render(for: variables, now: now) {
        case .message(let message): return .message(message, content.options)
        case .skip(let reason): return .skip(reason: reason)
        }
    }
}

/// The renderers of the sends that are on their way.
actor RendererCache {
    /// How many sends' templates are kept parsed.
    private static let limit = 64

    private let store: any SendStore
    private var renderers: [SendID: SendRenderer] = [:]
    private var order: [SendID] = []

    init(store: any SendStore) {
        self.store = store
    }

    func renderer(of send: SendID) async throws -> SendRenderer {
        if let renderer = renderers[send] { return renderer }
        guard let stored = try await store.send(send) else {
            throw StoreError(.unreadable, "send \(send) has ledger rows but no row of its own")
        }
        let renderer = SendRenderer(stored.content)
        // Another task may have come first while the store was asked.
        if renderers.updateValue(renderer, forKey: send) == nil { order.append(send) }
        if order.count > Self.limit { renderers[order.removeFirst()] = nil }
        return renderer
    }
}
