import Foundation
import NoroshiOutbox
import NoroshiWire

/// One showing of an in-app message, to which a view reports. Impression, click and each button are
/// recorded once, however often they are reported.
public final class NoroshiInAppMessageContext: Sendable {
    /// The message.
    public let message: InAppMessage

    let recorder: Recorder
    /// The SDK; `nil` once the app has released it.
    let owner: @Sendable () -> Noroshi?
    private let links: LinkRouter
    private let platform: NoroshiPlatform
    private let steps: Steps
    private let done = Locked<Set<String>>([])
    private let lastStep = Locked<(@MainActor @Sendable () -> Void)?>(nil)

    /// The callbacks for the progress of a showing.
    struct Steps: Sendable {
        /// The user has seen the message.
        var seen: @Sendable () -> Void
        /// The message has left the screen, or was never on it.
        var closed: @Sendable () -> Void
        /// The message could not be shown now.
        var postponed: @Sendable () -> Void
    }

    init(
        message: InAppMessage,
        recorder: Recorder,
        links: LinkRouter,
        platform: NoroshiPlatform,
        owner: @escaping @Sendable () -> Noroshi?,
        steps: Steps
    ) {
        self.message = message
        self.recorder = recorder
        self.links = links
        self.platform = platform
        self.owner = owner
        self.steps = steps
    }

    /// Reports that the user sees the message. From now on it counts toward its maximum number of
    /// impressions and for the gap before the next message.
    public func logImpression() {
        noteSeen()
        record(.impression, button: nil)
    }

    /// Reports a tap on the message, or on the button `buttonId`.
    public func logClick(buttonId: String? = nil) {
        noteSeen()
        record(buttonId == nil ? .click : .button, button: buttonId)
    }

    /// Performs the action of a tap on the message, or on the button `buttonId`, records the tap
    /// and closes the message.
    public func processClick(buttonId: String? = nil) {
        logClick(buttonId: buttonId)
        let button = message.buttons?.first { $0.id == buttonId }
        perform((buttonId == nil ? message.clickAction : button?.clickAction) ?? .none)
        close()
    }

    /// Reports that the message was closed without a tap on it.
    public func logDismissal() {
        guard isFirst("closed") else { return }
        noteSeen()
        record(.dismissed, button: nil)
        steps.closed()
        finish()
    }

    /// Reports that the message has left the screen; the next one may be shown.
    public func close() {
        guard isFirst("closed") else { return }
        steps.closed()
        finish()
    }

    /// Reports that the message could not be shown now, because there is no screen yet. Nothing is
    /// counted, and the message is presented again a little later.
    public func postpone() {
        guard isFirst("closed") else { return }
        steps.postponed()
        finish()
    }

    /// Calls `body` once the showing has ended, in whatever way.
    package func whenDone(_ body: @escaping @MainActor @Sendable () -> Void) {
        lastStep.withLock { $0 = body }
    }

    private func finish() {
        let body = lastStep.withLock { step in
            defer { step = nil }
            return step
        }
        if let body { Task { @MainActor in body() } }
    }

    /// Whether the message was closed, or removed after a change of user.
    public var isClosed: Bool { done.withLock { $0.contains("closed") } }

    /// Follows a link in the page of an HTML message: records the tap, closes the message and opens
    /// `url` like any other link of a message. The query item `abButtonId=…` of the link names its
    /// button; `abExternalOpen=true` opens it outside of the app.
    public func processLink(_ url: URL) {
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        // Percent-encoded as written: the target of the link interprets its plus signs.
        let items = components?.percentEncodedQueryItems ?? []
        func flag(_ name: String) -> String? { items.first { $0.name == name }?.value }
        logClick(buttonId: flag("abButtonId"))
        let own = items.filter { !Self.linkFlags.contains($0.name) }
        components?.percentEncodedQueryItems = own.isEmpty ? nil : own
        perform(
            .url(
                (components?.url ?? url).absoluteString,
                useWebView: flag("abExternalOpen") != "true" && flag("abDeepLink") != "true"
            )
        )
        close()
    }

    private static let linkFlags = ["abButtonId", "abExternalOpen", "abDeepLink"]

    /// Ends the showing after a change of user; nothing is recorded.
    func abandon() {
        done.withLock { _ = $0.insert("closed") }
    }

    /// The items of a message that contains a list, such as `"red, green, blue"`.
    public var items: [String] {
        message.message.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Stores the user's choice in the custom attribute that `extras["attribute_key"]` names; an
    /// error if the campaign names none.
    @discardableResult
    public func setAttribute(_ value: String) -> Result<UUID, NoroshiError> {
        guard let key = message.extras?["attribute_key"] else {
            return recorder.refuse(
                NoroshiError(
                    code: .invalidInput,
                    field: "attribute_key",
                    message: "the message has no key-value pair attribute_key"
                )
            )
        }
        return NoroshiUser(recorder: recorder).setCustomAttribute(key: key, value: value)
    }

    /// Asks the user, with the system's prompt, for permission to send notifications.
    public func requestPushPermission() {
        let platform = platform
        let logger = recorder.logger
        Task {
            let isGranted = await platform.requestPushAuthorization()
            logger.log(.info, "notifications are \(isGranted ? "allowed" : "not allowed")")
        }
    }

    private func perform(_ action: InAppMessage.ClickAction) {
        switch action {
        case .none:
            break
        case .requestPushPermission:
            requestPushPermission()
        case .url(let text, let useWebView):
            guard let url = URL(string: text) else {
                recorder.logger.log(.error, "\(text) is no address")
                return
            }
            links.route(
                NoroshiURLContext(
                    url: url,
                    useWebView: useWebView,
                    extras: (message.extras ?? [:]).mapValues(JSONValue.string),
                    channel: .inAppMessage
                )
            )
        case .event(let name):
            _ = recorder.logEvent(name: name, members: [:])
        case .attribute(let key, let value):
            _ = NoroshiUser(recorder: recorder).setCustomAttribute(key: key, anyValue: value)
        }
    }

    private func record(
        _ kind: SDKRecord.InAppMessageInteraction.Kind,
        button: String?
    ) {
        guard isFirst("\(kind.rawValue) \(button ?? "")") else { return }
        recorder.record(
            .inAppMessage(
                SDKRecord.InAppMessageInteraction(
                    kind: kind,
                    message: message.id,
                    button: button,
                    variant: message.variant
                )
            )
        )
    }

    private func noteSeen() {
        if isFirst("seen") { steps.seen() }
    }

    private func isFirst(_ key: String) -> Bool {
        done.withLock { $0.insert(key).inserted }
    }
}
