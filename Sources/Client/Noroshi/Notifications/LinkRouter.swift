import Foundation
import NoroshiOutbox
import NoroshiWire

/// The link of a message, with its origin.
public struct NoroshiURLContext: Sendable, Equatable {
    /// The kind of message.
    public enum Channel: Sendable {
        /// A push.
        case notification
        /// An in-app message.
        case inAppMessage
    }

    /// The URL.
    public var url: URL
    /// Whether a web page should open inside the app.
    public var useWebView: Bool
    /// The message's key-value pairs.
    public var extras: [String: JSONValue]
    /// The kind of message.
    public var channel: Channel

    /// A context for `url`.
    public init(
        url: URL,
        useWebView: Bool = false,
        extras: [String: JSONValue] = [:],
        channel: Channel = .notification
    ) {
        self.url = url
        self.useWebView = useWebView
        self.extras = extras
        self.channel = channel
    }
}

/// Routes the link of a tapped message to the handler that opens it, or keeps it until one exists:
/// at a cold start the tap arrives before the app has built its first screen.
final class LinkRouter: Sendable {
    typealias Handler = @MainActor @Sendable (NoroshiURLContext) -> Void

    /// Maximum number of kept links; the oldest is dropped first, because only recent taps matter.
    private static let pendingLimit = 8

    private struct State {
        var handler: Handler?
        /// Who has set the handler; `nil` for the app itself.
        var owner: UUID?
        var mayOpen: @MainActor @Sendable (NoroshiURLContext) -> Bool = { _ in true }
        var pending: [NoroshiURLContext] = []
        /// How often delivery was asked for. Whoever delivers looks again if that has grown meanwhile.
        var requests = 0
        var isDelivering = false
    }

    private let state = Locked(State())
    private let platform: NoroshiPlatform
    private let configuration: NoroshiConfiguration

    init(platform: NoroshiPlatform, configuration: NoroshiConfiguration) {
        self.platform = platform
        self.configuration = configuration
    }

    func setHandler(_ handler: Handler?) {
        setHandler(handler, owner: nil)
    }

    /// Hands links to `handler` until the surrounding task is cancelled. Of several the latest has
    /// them.
    func handle(with handler: @escaping Handler) async {
        let owner = UUID()
        setHandler(handler, owner: owner)
        await untilCancelled()
        state.withLock { state in
            if state.owner == owner { state.handler = nil }
        }
    }

    private func setHandler(_ handler: Handler?, owner: UUID?) {
        state.withLock { state in
            state.handler = handler
            state.owner = owner
        }
        deliverPending()
    }

    /// Sets a function that is asked before a link is opened or handed over.
    func setDecision(_ mayOpen: @escaping @MainActor @Sendable (NoroshiURLContext) -> Bool) {
        state.withLock { $0.mayOpen = mayOpen }
    }

    func route(_ context: NoroshiURLContext) {
        state.withLock { state in
            state.pending.append(context)
            if state.pending.count > Self.pendingLimit { state.pending.removeFirst() }
        }
        deliverPending()
    }

    func applicationDidBecomeActive() {
        deliverPending()
    }

    private func deliverPending() {
        let begins = state.withLock { state in
            guard !state.pending.isEmpty else { return false }
            state.requests += 1
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard begins else { return }
        Task { @MainActor in await deliver() }
    }

    /// One at a time, in the order of the taps: to open a link takes a while, in which others are tapped.
    @MainActor
    private func deliver() async {
        while true {
            let asked = state.withLock { $0.requests }
            let isActive = await platform.isActive()
            let (handler, mayOpen, contexts) = state.withLock { state in
                let mayBegin =
                    state.handler != nil
                    || (isActive && configuration.push.linkHandling == .automatic)
                let contexts = mayBegin ? state.pending : []
                if mayBegin { state.pending = [] }
                return (state.handler, state.mayOpen, contexts)
            }
            for context in contexts where mayOpen(context) {
                if let handler {
                    handler(context)
                } else if await !open(context) {
                    configuration.logger.log(.error, "\(context.url) could not be opened")
                }
            }
            let isOver = state.withLock { state in
                state.isDelivering = state.requests != asked
                return !state.isDelivering
            }
            if isOver { return }
        }
    }

    /// Opens a link inside the app if that is requested and there is a screen for it, otherwise
    /// with the system.
    private func open(_ context: NoroshiURLContext) async -> Bool {
        let isPage = ["http", "https"].contains(context.url.scheme?.lowercased() ?? "")
        if context.useWebView, isPage, await platform.openInApp(context.url) { return true }
        return await platform.open(context.url)
    }
}
