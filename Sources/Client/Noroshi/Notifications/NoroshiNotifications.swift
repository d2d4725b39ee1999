import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// The handling of pushes. Each `handle…` method returns whether the push is Noroshi's and ignores
/// others, so that several push providers can coexist.
public final class NoroshiNotifications: Sendable {
    let recorder: Recorder
    let platform: NoroshiPlatform
    let links: LinkRouter
    let updates = Broadcast<Payload>()
    /// Called after a push was opened.
    let onOpen = Locked<(@Sendable () -> Void)?>(nil)
    /// Shows a message of the app itself.
    let presentPrimer = Locked<(@Sendable (InAppMessage) -> Void)?>(nil)
    /// Buttons that open the app; a tap on one counts as an open.
    let openingActions = Locked<Set<String>>([
        "noroshi_accept", "noroshi_yes", "noroshi_confirm", "noroshi_more",
    ])

    #if canImport(UserNotifications)
    let declared = Locked(DeclaredCategories())
    #endif

    init(recorder: Recorder, platform: NoroshiPlatform, links: LinkRouter) {
        self.recorder = recorder
        self.platform = platform
        self.links = links
    }

    /// Whether the payload `userInfo` is Noroshi's.
    public static func isNoroshiNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
        PushPayload(userInfo: userInfo) != nil
    }

    /// The current device token; `nil` before the first registration.
    public var deviceToken: String? { recorder.state?.pushToken?.token }

    /// Asks the user, with the system's prompt, for permission to send notifications and registers
    /// for them if it is granted. The system asks only once; later calls return the earlier answer.
    ///
    /// With a `primer`, a message of the app first explains the notifications; a button with the
    /// click action `requestPushPermission` opens the system's prompt. A user who has already
    /// answered the system's prompt does not see the primer.
    /// - Returns: Whether notifications are allowed now.
    @discardableResult
    public func requestAuthorization(primer: InAppMessage? = nil) async -> Bool {
        if let primer, await platform.pushAuthorization() == "notDetermined" {
            presentPrimer.withLock { $0 }?(primer)
            return false
        }
        return await platform.requestPushAuthorization()
    }

    /// Registers the token that the system has given to the app; call it at every launch.
    public func register(deviceToken: Data) {
        let hexadecimal = deviceToken.map { String(format: "%02x", $0) }.joined()
        register(
            token: hexadecimal,
            provider: "apns",
            environment: usesSandbox ? "sandbox" : "production"
        )
    }

    /// Registers the token of Firebase Cloud Messaging, for Swift on Android.
    public func register(firebaseToken: String) {
        register(token: firebaseToken, provider: "fcm", environment: nil)
    }

    /// Registers a browser's subscription, for the virtual browser; web pages use the JavaScript
    /// SDK.
    package func register(
        webPushEndpoint endpoint: String,
        publicKey: String,
        authenticationSecret: String
    ) {
        Task {
            record(
                SDKRecord.PushToken(
                    token: endpoint,
                    provider: "webpush",
                    authorization: await platform.pushAuthorization(),
                    publicKey: publicKey,
                    authenticationSecret: authenticationSecret
                )
            )
        }
    }

    /// Removes the push token, for example after a logout.
    public func unregisterPush() {
        _ = recorder.transaction(urgent: true) { access in
            access.state.pushToken = nil
            try access.append(
                .pushTokenCleared,
                id: recorder.dependencies.makeID(),
                time: recorder.dependencies.now()
            )
        }
    }

    /// Handles a data message of Firebase Cloud Messaging; `false` if it is not Noroshi's.
    ///
    /// Android gives the service that calls this nine seconds; it needs a few milliseconds.
    @discardableResult
    public func handleRemoteMessage(_ data: [String: String]) -> Bool {
        guard let payload = PushPayload(data: data) else { return false }
        received(payload, userInfo: data)
        return true
    }

    /// Handles the tap on a notification that was created from a data message of Firebase Cloud
    /// Messaging; `false` if it is not Noroshi's.
    ///
    /// An app that shows the pages of a push story gives the number of the tapped one, from 1: the
    /// open counts for it, and its link is followed.
    @discardableResult
    public func handleTap(
        onRemoteMessage data: [String: String],
        action: String? = nil,
        storyPage: Int? = nil
    ) -> Bool {
        if let storyPage, let payload = PushPayload(data: data) {
            recorder.setStoryPage(storyPage, of: payload.dispatch)
        }
        return handle(data, response: action.map(Response.action) ?? .opened)
    }

    /// Sets a handler for the links of tapped notifications, which is called on the main actor for
    /// new links and for those waiting since the start of the app. With `nil` the system opens
    /// links again.
    public func setLinkHandler(_ handler: (@MainActor @Sendable (NoroshiURLContext) -> Void)?) {
        links.setHandler(handler)
    }

    /// Hands the links of tapped messages to `handler` until the surrounding task is cancelled.
    package func handleLinks(
        with handler: @escaping @MainActor @Sendable (NoroshiURLContext) -> Void
    ) async {
        await links.handle(with: handler)
    }

    /// Calls `handler` with every notification that arrives or is opened, until the returned object
    /// is released.
    public func subscribeToUpdates(
        payloadTypes: Set<Payload.Kind> = [.opened, .received],
        _ handler: @escaping @Sendable (Payload) -> Void
    ) -> NoroshiCancellable {
        updates.subscribe { payload in
            if payloadTypes.contains(payload.type) { handler(payload) }
        }
    }

    /// The notifications that arrive or are opened from now on.
    public var updatesStream: AsyncStream<Payload> { updates.stream() }

    /// Records that the user has opened the push `pushNumber`, for an app that handles taps itself
    /// and has only their `push_no`. Repeated calls count once.
    /// - Returns: Whether it was the first call for this push.
    @discardableResult
    public func logOpen(pushNumber: Int64) -> Result<Bool, NoroshiError> {
        recorder.recordOpen(ofPush: pushNumber)
    }

    /// Sets the number on the app's icon; 0 removes it.
    public func setBadge(_ count: Int) {
        platform.setBadge(max(0, count))
    }

    // MARK: - Decisions shared by all platforms

    enum Response {
        case opened
        case action(String)
        case dismissed
    }

    /// Records a response and routes its link; `false` for payloads of others.
    func handle(_ userInfo: [AnyHashable: Any], response: Response) -> Bool {
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        switch response {
        case .dismissed:
            _ = recorder.recordInteraction(.dismissed, with: payload)
        case .opened:
            let page = recorder.takeStoryPage(of: payload)
            opened(
                payload,
                userInfo: userInfo,
                action: nil,
                page: page,
                address: payload.address(onPage: page)
            )
        case .action(let identifier):
            _ = recorder.recordInteraction(.action, with: payload, action: identifier)
            let address = payload.actionURIs[identifier]
            if address != nil || openingActions.withLock({ $0.contains(identifier) }) {
                opened(payload, userInfo: userInfo, action: identifier, address: address)
            }
        }
        return true
    }

    /// Maximum time that a handler of the system waits for records to be sent, in seconds. Android
    /// allows nine, iOS thirty.
    private static let sendingLimit: TimeInterval = 8

    /// Calls the system's completion handler on the main thread: after sending the records if the
    /// system would suspend the app after the call, otherwise immediately.
    func complete(afterSending waits: Bool, _ handler: @escaping @Sendable () -> Void) {
        guard waits, recorder.configuration.api.requestPolicy == .automatic else {
            MainThread.run { handler() }
            return
        }
        let work = BackgroundWork(recorder: recorder, platform: platform)
        Task {
            await sendBeforeSuspension()
            await MainActor.run { handler() }
            work.end()
        }
    }

    /// Sends records if the system would suspend the app after the handler returns.
    func sendBeforeSuspension() async {
        guard recorder.configuration.api.requestPolicy == .automatic,
            await !platform.isActive()
        else { return }
        await recorder.flush(within: Self.sendingLimit)
    }

    /// Whether the system opens the app for a response.
    func opensApp(_ response: Response) -> Bool {
        switch response {
        case .opened: true
        case .action(let identifier): openingActions.withLock { $0.contains(identifier) }
        case .dismissed: false
        }
    }

    /// Records the arrival of a push, once, however often it is reported.
    func received(_ payload: PushPayload, userInfo: [AnyHashable: Any]) {
        if case .success(true) = recorder.recordInteraction(.received, with: payload) {
            updates.send(Payload(payload, type: .received, action: nil, userInfo: userInfo))
        }
    }

    /// Registers the token again after the user has changed the permission in the settings.
    func refreshAuthorization() {
        guard let token = recorder.state?.pushToken else { return }
        Task {
            let authorization = await platform.pushAuthorization()
            guard authorization != token.authorization else { return }
            var changed = token
            changed.authorization = authorization
            record(changed)
        }
    }

    private func opened(
        _ payload: PushPayload,
        userInfo: [AnyHashable: Any],
        action: String?,
        page: Int? = nil,
        address: URL?
    ) {
        let result = recorder.recordInteraction(.opened, with: payload, page: page)
        if case .success(true) = result {
            updates.send(
                Payload(payload, type: .opened, action: action, page: page, userInfo: userInfo)
            )
            onOpen.withLock { $0 }?()
        }
        // The user tapped: route the link even if the open was counted before.
        if let address {
            links.route(
                NoroshiURLContext(
                    url: address,
                    useWebView: payload.useWebView,
                    extras: payload.values
                )
            )
        }
    }

    private func register(token: String, provider: String, environment: String?) {
        Task {
            record(
                SDKRecord.PushToken(
                    token: token,
                    provider: provider,
                    environment: environment,
                    authorization: await platform.pushAuthorization()
                )
            )
        }
    }

    private func record(_ token: SDKRecord.PushToken) {
        let optsIn = recorder.configuration.optInWhenPushAuthorized
        let makeID = recorder.dependencies.makeID
        let now = recorder.dependencies.now()
        _ = recorder.transaction(urgent: true) { access in
            let before = access.state.pushToken?.authorization
            access.state.pushToken = token
            try access.append(.pushToken(token), id: makeID(), time: now)
            if optsIn, token.authorization == "authorized", before != "authorized" {
                try access.append(
                    .attributes(["push_subscribe": "opted_in"], mergeObjects: false),
                    id: makeID(),
                    time: now
                )
            }
        }
    }

    private var usesSandbox: Bool {
        if let chosen = recorder.configuration.push.usesSandbox { return chosen }
        #if DEBUG
        return true
        #else
        return false
        #endif
    }
}
