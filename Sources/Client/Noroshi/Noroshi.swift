import Foundation
@_spi(Testing) import NoroshiOutbox
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
    /// The SDK's server and settings.
    public typealias Configuration = NoroshiConfiguration
    /// The SDK's external dependencies.
    @_spi(Testing) public typealias Dependencies = NoroshiDependencies
    /// The current user.
    public typealias User = NoroshiUser
    /// An event with properties that the compiler checks.
    public typealias Event = NoroshiEvent
    /// The handling of pushes.
    public typealias Notifications = NoroshiNotifications

    /// The configuration of this SDK.
    public var configuration: Configuration { recorder.configuration }
    /// The current user.
    public let user: User
    /// The handling of pushes.
    public let notifications: Notifications
    /// Messages inside the app.
    public let inAppMessages: NoroshiInAppMessages

    let recorder: Recorder
    let sessions: SessionTracker
    let links: LinkRouter
    let platform: NoroshiPlatform
    let delegates = Locked(Delegates())
    private let lifecycle = Locked<LifecycleObserver?>(nil)

    /// The SDK for `configuration`. On systems other than Apple's, an app says with `platform` what
    /// the SDK may ask of them.
    ///
    /// An extension records through `NoroshiExtensionContext` instead.
    @available(iOSApplicationExtension, unavailable)
    public convenience init(
        configuration: Configuration,
        platform: NoroshiPlatform = .current
    ) {
        self.init(
            configuration: configuration,
            dependencies: Dependencies(),
            platform: platform
        )
    }

    /// The SDK for `configuration` with a clock, network and device of a test.
    @available(iOSApplicationExtension, unavailable)
    @_spi(Testing) public init(
        configuration: Configuration,
        dependencies: Dependencies,
        platform: NoroshiPlatform = .current
    ) {
        recorder = Recorder(configuration: configuration, dependencies: dependencies)
        user = User(recorder: recorder)
        sessions = SessionTracker(recorder: recorder)
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

    /// Sets the user, for example after a login. Earlier records stay with the user who made them;
    /// data of an anonymous user moves to a named user that did not exist before.
    ///
    /// A new session begins, and the push token of the device follows the user.
    /// - Parameters:
    ///   - userId: The app's own identifier of the user, at most 512 bytes.
    ///   - signature: The user's signed token (JWT), if SDK authentication is used.
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

    /// `changeUser(userId:signature:)` with an older label.
    @discardableResult
    public func changeUser(
        userId: String,
        sdkAuthSignature: String
    ) -> Result<UUID?, NoroshiError> {
        changeUser(userId: userId, signature: sdkAuthSignature)
    }

    /// Sets a new signed token for the current user, for example after an expired one was rejected.
    public func set(sdkAuthenticationSignature signature: String) {
        _ = recorder.perform { access in
            guard let id = access.state.externalID else { return }
            access.state.setSignature(signature, of: id)
        }
        Task { await recorder.uploader.signatureChanged() }
    }

    /// Records an event with properties of JSON's types, dates, URLs and UUIDs.
    ///
    /// Rejected are names that are empty, longer than 255 characters or begin with `$`; the
    /// property names `time` and `event_name`; texts of more than 255 characters; and more than 100
    /// KB.
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

    /// Records an event with properties that the compiler has checked.
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

    /// Imports, once, the data that an app version before Noroshi left in the App Group's
    /// UserDefaults under `pending_custom_events`, `pending_custom_attributes` and
    /// `pending_user_attributes`; call it after creating the SDK. Imported data is removed from
    /// there.
    /// - Returns: The number of resulting records.
    @discardableResult
    public func importPendingExtensionData(
        from defaults: UserDefaults
    ) -> Result<Int, NoroshiError> {
        recorder.importLegacyData(from: defaults)
    }

    /// Sends waiting records immediately, unless the server has asked for a delay.
    public func requestImmediateDataFlush() {
        Task { await recorder.uploader.flush() }
    }

    /// Sends waiting records; returns when they are sent or sending must pause. An extension that is
    /// sending is waited for, for up to ten seconds.
    public func flush() async {
        await recorder.uploader.flush(waitingForOthers: 10)
    }

    /// Number of records that the server has not acknowledged yet.
    public var pendingRecordCount: Int { (try? recorder.store.pendingCount()) ?? 0 }

    /// Whether the SDK records and sends; stored across launches. While it is `false`, calls are
    /// rejected, and waiting records are kept.
    public var enabled: Bool {
        get { recorder.state?.isEnabled ?? false }
        set {
            _ = recorder.perform { $0.state.isEnabled = newValue }
            guard newValue else { return }
            recorder.planSending(urgent: true)
            // The app came to the foreground while the SDK was disabled.
            Task { if await platform.isActive() { sessions.enterForeground() } }
        }
    }

    /// Deletes all data of this installation, sent or not. It becomes a new installation with an
    /// anonymous user.
    public func wipeData() {
        do {
            try recorder.store.wipe()
        } catch {
            recorder.logger.log(.error, "the data could not be wiped: \(error)")
        }
        inAppMessages.replace(with: [])
        inAppMessages.reset()
    }

    /// Removes the push token, sends waiting records, deletes all stored data and disables the SDK;
    /// `enabled` enables it again, for a new anonymous user.
    public func logout() async {
        notifications.unregisterPush()
        await flush()
        wipeData()
        enabled = false
    }

    /// Calls `handler` when a session begins or ends, until the returned object is released.
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

    /// Reports that the app has come to the foreground. On Apple's systems the SDK observes this
    /// itself.
    public func applicationDidBecomeActive() {
        sessions.enterForeground()
        links.applicationDidBecomeActive()
        Task { await inAppMessages.presentNext() }
        notifications.refreshAuthorization()
        recorder.planSending(urgent: true)
    }

    /// Reports that the app has left the foreground. On Apple's systems the SDK observes this
    /// itself.
    ///
    /// Waiting records are sent while the system still lets the app run.
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
