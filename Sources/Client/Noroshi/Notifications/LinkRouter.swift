import Foundation
import NoroshiOutbox
import NoroshiWire

/// An address that a message leads to, with where it came from.
public struct NoroshiURLContext: Sendable, Equatable {
    /// The kind of message.
    public enum Channel: Sendable {
        /// A push.
        case notification
        /// An in-app message.
        case inAppMessage
    }

    /// The address.
    public var url: URL
    /// Whether a web address is meant to open inside the app.
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

/// Brings the address of a tapped message to whoever opens it, or keeps it until somebody can:
/// at a cold start the tap arrives before the app has built its first screen.
final class LinkRouter: Sendable {
    typealias Handler = @MainActor @Sendable (NoroshiURLContext) -> Void

    /// Links kept at most; the oldest goes first, as only the newest tap still matters much.
    private static let pendingLimit = 8

    private struct State {
        var handler: Handler?
        var mayOpen: @MainActor @Sendable (NoroshiURLContext) -> Bool = { _ in true }
        var pending: [NoroshiURLContext] = []
    }

    private let state = Locked(State())
    private let platform: NoroshiPlatform
    private let configuration: NoroshiConfiguration

    init(platform: NoroshiPlatform, configuration: NoroshiConfiguration) {
        self.platform = platform
        self.configuration = configuration
    }

    func setHandler(_ handler: Handler?) {
        state.withLock { $0.handler = handler }
        deliverPending()
    }

    /// Asks `mayOpen` before an address is opened or handed over.
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
        let waits = state.withLock { !$0.pending.isEmpty }
        guard waits else { return }
        Task { @MainActor in
            let isActive = await platform.isActive()
            let (handler, contexts) = state.withLock { state in
                guard
                    state.handler != nil
                        || (isActive && configuration.push.linkHandling == .automatic)
                else { return (state.handler, [NoroshiURLContext]()) }
                defer { state.pending = [] }
                return (state.handler, state.pending)
            }
            let mayOpen = state.withLock { $0.mayOpen }
            for context in contexts where mayOpen(context) {
                if let handler {
                    handler(context)
                } else if await !open(context) {
                    configuration.logger.log(.error, "\(context.url) could not be opened")
                }
            }
        }
    }

    /// Inside the app where that is meant and there is a screen for it, otherwise by the system.
    private func open(_ context: NoroshiURLContext) async -> Bool {
        let isPage = ["http", "https"].contains(context.url.scheme?.lowercased() ?? "")
        if context.useWebView, isPage, await platform.openInApp(context.url) { return true }
        return await platform.open(context.url)
    }
}
