import Foundation
import NoroshiOutbox
import NoroshiWire

/// The SDK. An app makes one and keeps it.
///
/// ```swift
/// let noroshi = Noroshi(
///     configuration: Noroshi.Configuration(apiKey: "…", endpoint: "push.example.com")
/// )
/// ```
/// Every call may come from any thread. What is recorded is on disk when the call returns and is
/// deleted only after the server has answered for it. Nothing is swizzled and nothing is global.
public final class Noroshi: Sendable {
    /// How the SDK reaches its server and how it behaves.
    public typealias Configuration = NoroshiConfiguration
    /// What the SDK takes from the outside.
    public typealias Dependencies = NoroshiDependencies
    /// The current user.
    public typealias User = NoroshiUser
    /// An event whose properties the compiler checks.
    public typealias Event = NoroshiEvent
    /// The handling of pushes.
    public typealias Notifications = NoroshiNotifications

    /// How this SDK reaches its server and how it behaves.
    public var configuration: Configuration { recorder.configuration }
    /// The current user.
    public let user: User
    /// The handling of pushes.
    public let notifications: Notifications
    /// Messages inside the app.
    public let inAppMessages: NoroshiInAppMessages

    let recorder: Recorder
    let sessions: SessionKeeper
    let links: LinkRouter
    let platform: NoroshiPlatform
    let delegates = Locked(Delegates())
    private let lifecycle = Locked<LifecycleObserver?>(nil)

    /// The SDK for `configuration`. `dependencies` and `platform` are replaced in tests.
    ///
    /// An extension records through `NoroshiExtensionContext` instead.
    @available(iOSApplicationExtension, unavailable)
    public init(
        configuration: Configuration,
        dependencies: Dependencies = Dependencies(),
        platform: NoroshiPlatform = .current
    ) {
        recorder = Recorder(configuration: configuration, dependencies: dependencies)
        user = User(recorder: recorder)
        sessions = SessionKeeper(recorder: recorder)
        links = LinkRouter(platform: platform, configuration: configuration)
        notifications = Notifications(recorder: recorder, platform: platform, links: links)
        inAppMessages = NoroshiInAppMessages(
            recorder: recorder,
            links: links,
            platform: platform
        )
        self.platform = platform
        lifecycle.withLock { observer in
            observer = LifecycleObserver(
                platform: platform,
                onActive: { [weak self] in self?.applicationDidBecomeActive() },
                onBackground: { [weak self] in self?.applicationDidEnterBackground() }
            )
        }
        sessions.onStart.withLock { onStart in
            onStart = { [weak self] in self?.sessionHasStarted() }
        }
        notifications.onOpen.withLock { onOpen in
            onOpen = { [weak self] in self?.inAppMessages.happened(.pushOpen) }
        }
        notifications.presentPrimer.withLock { present in
            present = { [weak self] message in self?.inAppMessages.present(message) }
        }
        recorder.listen { [weak self] event in self?.heard(event) }
        inAppMessages.setOwner { [weak self] in self }
        links.setDecision { [weak self] context in self?.mayOpen(context) ?? true }
        recorder.planSending(urgent: true)
    }

    /// Names the user, as after a log-in. What was recorded before stays with the user who made
    /// it; what a nameless user did moves to a named one that did not exist before.
    ///
    /// A new session begins, and the push token of the device follows the user.
    /// - Parameters:
    ///   - userId: the app's own name for the user, at most 512 bytes.
    ///   - signature: the user's signed token (JWT), where SDK authentication is used.
    @discardableResult
    public func changeUser(
        userId: String,
        signature: String? = nil
    ) -> Result<UUID?, NoroshiError> {
        guard !userId.isEmpty, userId.utf8.count <= 512 else {
            return recorder.refuse(
                NoroshiError(
                    code: .invalidInput,
                    field: "userId",
                    message: "a user's name has 1 to 512 bytes"
                )
            )
        }
        let now = recorder.dependencies.now()
        let makeID = recorder.dependencies.makeID
        var happened: [NoroshiSessionUpdate] = []
        let result = recorder.transaction(urgent: true) { access -> UUID? in
            if let signature { access.state.setSignature(signature, of: userId) }
            let previous = access.state.user
            guard previous != .external(userId) else { return nil }
            let wasOpen = access.state.session?.foregroundSince != nil
            happened += try sessions.end(&access, at: now)
            access.state.externalID = userId
            access.state.profileFields = [:]
            let id = makeID()
            try access.append(.userChanged(previous: previous), id: id, time: now)
            if let token = access.state.pushToken {
                try access.append(.pushToken(token), id: makeID(), time: now)
            }
            if wasOpen { happened.append(try sessions.start(&access, at: now)) }
            return id
        }
        if signature != nil { Task { await recorder.uploader.signatureChanged() } }
        if case .success(.some) = result {
            inAppMessages.reset()
            sessions.announce(happened)
        }
        return result
    }

    /// `changeUser(userId:signature:)` under an older label.
    @discardableResult
    public func changeUser(
        userId: String,
        sdkAuthSignature: String
    ) -> Result<UUID?, NoroshiError> {
        changeUser(userId: userId, signature: sdkAuthSignature)
    }

    /// Gives a new signed token for the current user, as after an expired one was refused.
    public func set(sdkAuthenticationSignature signature: String) {
        _ = recorder.perform { access in
            guard let id = access.state.externalID else { return }
            access.state.setSignature(signature, of: id)
        }
        Task { await recorder.uploader.signatureChanged() }
    }

    /// Records an event with properties of JSON's types, dates, addresses and UUIDs.
    ///
    /// Refused: names that are empty, longer than 255 characters or begin with `$`; the property
    /// names `time` and `event_name`; texts of more than 255 characters; more than 100 KB.
    @discardableResult
    public func logCustomEvent(
        name: String,
        properties: [AnyHashable: Any]? = nil
    ) -> Result<UUID, NoroshiError> {
        let result = recorder.logEvent(name: name, properties: properties)
        if case .success = result {
            inAppMessages.happened(
                .event(name: name, properties: JSONValue.members(properties ?? [:]) ?? [:])
            )
        }
        return result
    }

    /// `logCustomEvent(name:properties:)` without the first label.
    @discardableResult
    public func logCustomEvent(
        _ name: String,
        properties: [AnyHashable: Any]? = nil
    ) -> Result<UUID, NoroshiError> {
        logCustomEvent(name: name, properties: properties)
    }

    /// Records an event whose properties the compiler has checked.
    @discardableResult
    public func log<TypedEvent: Event>(_ event: TypedEvent) -> Result<UUID, NoroshiError> {
        let result = recorder.logEvent(event)
        if case .success = result, let properties = try? event.properties() {
            inAppMessages.happened(.event(name: TypedEvent.name, properties: properties))
        }
        return result
    }

    /// Records a purchase of `quantity` pieces, 1 to 100, at `price` each; `currency` is a code of
    /// ISO 4217.
    @discardableResult
    public func logPurchase(
        productId: String,
        currency: String,
        price: Double,
        quantity: Int = 1,
        properties: [AnyHashable: Any]? = nil
    ) -> Result<UUID, NoroshiError> {
        let result = recorder.logPurchase(
            productID: productId,
            currency: currency,
            price: price,
            quantity: quantity,
            properties: properties
        )
        if case .success = result {
            inAppMessages.happened(
                .purchase(
                    product: productId,
                    properties: JSONValue.members(properties ?? [:]) ?? [:]
                )
            )
        }
        return result
    }

    private func sessionHasStarted() {
        Task {
            await inAppMessages.refresh(with: self)
            inAppMessages.happened(.sessionStart)
        }
    }

    /// Takes over, once, what an app version before Noroshi left in the App Group's UserDefaults
    /// under `pending_custom_events`, `pending_custom_attributes` and `pending_user_attributes`;
    /// call it after the SDK is made. What is taken over is removed from there.
    /// - Returns: how many records came of it.
    @discardableResult
    public func importPendingExtensionData(
        from defaults: UserDefaults
    ) -> Result<Int, NoroshiError> {
        recorder.importLegacyData(from: defaults)
    }

    /// Sends what waits without delay. A pause that the server has asked for is kept.
    public func requestImmediateDataFlush() {
        Task { await recorder.uploader.flush() }
    }

    /// Sends what waits; returns when it is sent or sending has to pause.
    public func flush() async {
        await recorder.uploader.flush()
    }

    /// How many records wait to be acknowledged by the server.
    public var pendingRecordCount: Int { (try? recorder.store.pendingCount()) ?? 0 }

    /// Whether the SDK records and sends; kept over launches. While it is `false`, calls are
    /// refused, and what waits stays where it is.
    public var enabled: Bool {
        get { recorder.state?.isEnabled ?? false }
        set {
            _ = recorder.perform { $0.state.isEnabled = newValue }
            guard newValue else { return }
            recorder.planSending(urgent: true)
            // The app came to the foreground while nothing was recorded.
            Task { if await platform.isActive() { sessions.enterForeground() } }
        }
    }

    /// Deletes everything that this installation has stored, sent or not. It becomes a new
    /// installation with a nameless user.
    public func wipeData() {
        do {
            try recorder.store.wipe()
        } catch {
            recorder.logger.log(.error, "the data could not be wiped: \(error)")
        }
        inAppMessages.replace(with: [])
        inAppMessages.reset()
    }

    /// Forgets the push token, sends what waits, deletes everything that is stored and switches the
    /// SDK off; `enabled` switches it on again, for a new nameless user.
    public func logout() async {
        notifications.unregisterPush()
        await flush()
        wipeData()
        enabled = false
    }

    /// Calls `handler` when a session begins or ends, as long as the returned object is kept.
    public func subscribeToSessionUpdates(
        _ handler: @escaping @Sendable (NoroshiSessionUpdate) -> Void
    ) -> NoroshiCancellable {
        sessions.updates.subscribe(handler)
    }

    /// The beginnings and ends of sessions from now on.
    public var sessionUpdatesStream: AsyncStream<NoroshiSessionUpdate> {
        sessions.updates.stream()
    }

    /// The id of the installation; `nil` only if the file system fails.
    public var deviceId: String? { recorder.state?.deviceID.uuidString }

    /// Tells that the app has come to the foreground. On Apple's systems the SDK hears it itself.
    public func applicationDidBecomeActive() {
        sessions.enterForeground()
        links.applicationDidBecomeActive()
        Task { await inAppMessages.presentNext() }
        notifications.refreshAuthorization()
        recorder.planSending(urgent: true)
    }

    /// Tells that the app has left the foreground. On Apple's systems the SDK hears it itself.
    ///
    /// What waits is sent while the system still lets the app run.
    public func applicationDidEnterBackground() {
        let work = BackgroundWork(recorder: recorder, platform: platform)
        sessions.enterBackground()
        guard configuration.api.requestPolicy == .automatic else {
            work.end()
            return
        }
        Task {
            await recorder.uploader.flush()
            work.end()
        }
    }
}
