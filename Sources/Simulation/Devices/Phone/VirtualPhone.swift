import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import UIKit
import UserNotifications

/// A virtual phone: it simulates the system around an app with the real SDK.
///
/// The app's process starts and ends as on a phone; the lock screen, the container and the device
/// token outlive it.
package actor VirtualPhone: VirtualDevice {
    package nonisolated let id: UUID
    let settings: VirtualPhoneSettings
    private let service: any PushService
    let now: @Sendable () -> Date
    // Called from any thread, like Apple's class, and protected by its own lock; only not marked
    // `Sendable`.
    nonisolated(unsafe) let center: UNUserNotificationCenter
    let radio: SimulatedNetwork

    private let screen: PhoneScreen
    private var shop = DemoShop()
    /// Whether the app's first user has logged out; a new launch does not log them in again.
    private var hasLoggedOut = false
    var notifications: [String: NotificationDescription] = [:]
    /// The push stories by notification, as the content extension holds them.
    var stories: [String: NoroshiPushStory] = [:]
    /// The content extensions of expanded notifications.
    var extensions: [String: ContentExtensionHost] = [:]
    /// The number of the last picture that each of them has drawn.
    var drawn: [String: Int] = [:]
    var process: AppProcess?
    private var permissionAnswer: CheckedContinuation<Bool, Never>?
    private var reception: Task<Void, Never>?
    var keptWhileOffline: [PhonePush] = []

    package init(
        settings: VirtualPhoneSettings,
        service: any PushService,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        id = settings.id
        self.settings = settings
        self.service = service
        self.now = now
        center = UNUserNotificationCenter(shimName: settings.name)
        radio = SimulatedNetwork(settings.transport)
        screen = PhoneScreen(
            VirtualPhoneState(
                id: settings.id,
                name: settings.name,
                appName: settings.appName,
                language: settings.language
            ),
            now: now
        )
    }

    // MARK: - What a page sees

    package var state: VirtualPhoneState { screen.state }

    package func states() -> AsyncStream<VirtualPhoneState> { screen.states() }

    // MARK: - What a person does

    /// Switches the phone on and opens the app for the first time.
    package func start() async {
        center.shimSetPrompt { [weak self] _ in await self?.askPermission() ?? false }
        center.shimSetOnChange { [weak self] in Task { await self?.systemChanged() } }
        log("\(settings.appName) is installed")
        await open()
    }

    /// Switches the phone off.
    package func stop() async {
        reception?.cancel()
        reception = nil
        permissionAnswer?.resume(returning: false)
        permissionAnswer = nil
        await quit()
        screen.close()
    }

    /// Performs an action of the phone's user.
    package func perform(_ action: VirtualPhoneAction) async throws {
        switch action {
        case .openApp:
            await open()
        case .lock:
            await moveApp(to: .background)
        case .quitApp:
            await quit()
        case .tap(let banner):
            try await respond(to: banner, action: UNNotificationDefaultActionIdentifier)
        case .button(let banner, let button, let text):
            guard try await !takes(action: button, of: banner) else { break }
            try await respond(to: banner, action: button, text: text)
        case .expand(let banner):
            try await expand(banner)
        case .collapse(let banner):
            collapse(banner)
        case .touch(let banner, let element):
            try await touch(element, in: banner)
        case .type(let banner, let element, let text):
            try await type(text, into: element, in: banner)
        case .turnPage(let banner, let turn):
            try turnPage(of: banner, turn)
        case .tapPage(let banner):
            try await tapPage(of: banner)
        case .dismiss(let banner):
            try await dismiss(banner)
        case .answerPermission(let isAllowed):
            guard let permissionAnswer else {
                throw VirtualPhoneError("the phone does not ask for permission now")
            }
            self.permissionAnswer = nil
            permissionAnswer.resume(returning: isAllowed)
        case .logIn(let user):
            _ = try await inApp { $0.noroshi.changeUser(userId: user) }.get()
            log("Logged in as \(user)")
        case .logEvent(let name):
            _ = try await inApp { $0.noroshi.logCustomEvent(name: name) }.get()
            log("The app logged the event \(name)")
        case .shop(let action):
            // The shop is changed here and the SDK called there, because the app is the main thread's.
            let shop = shop
            let (changed, text) = try await inApp { process in
                Result {
                    var shop = shop
                    let text = try shop.perform(action, in: process.noroshi)
                    return (shop, text)
                }
            }.get()
            self.shop = changed
            change { $0.shop = changed.state }
            log(text)
        case .logOut:
            await launchIfNeeded().logOut()
            hasLoggedOut = true
            shop.empty()
            change { $0.shop = .init() }
            log("Logged out")
        case .tapMessage(let button):
            guard await inApp({ $0.inAppMessages.tap(button: button) }) else {
                throw VirtualPhoneError("the app shows no message")
            }
            log("Tapped the message")
        case .closeMessage:
            guard await inApp({ $0.inAppMessages.close() }) else {
                throw VirtualPhoneError("the app shows no message")
            }
            log("Closed the message")
        case .goOffline:
            radio.set(isOnline: false)
            change { $0.isOnline = false }
            log("Offline")
        case .goOnline:
            await goOnline()
        case .changeLanguage(let language):
            change { $0.language = language }
            _ = try await inApp { $0.noroshi.user.set(language: language) }.get()
            log("The language is \(language)")
        }
        await refreshFromSDK()
    }

    func respond(to banner: String, action: String, text: String? = nil) async throws {
        guard let description = notifications[banner] else {
            throw VirtualPhoneError("there is no notification \(banner) on the phone")
        }
        let category = center.shimCategory(description.category)
        let button = category?.actions.first { $0.identifier == action }
        let isBody = action == UNNotificationDefaultActionIdentifier
        guard isBody || button != nil else {
            throw VirtualPhoneError("the notification has no button \(action)")
        }
        removeBanner(banner)
        log(isBody ? "Tapped the push" : "Tapped the button \(button?.title ?? action)")
        let opensApp = isBody || button?.options.contains(.foreground) == true
        // The link of an earlier tap does not belong to this one.
        if opensApp { change { $0.lastOpenedURL = nil } }
        let process = await launchIfNeeded()
        if opensApp { await process.move(to: .inactive) }
        await process.respond(to: description, action: action, text: text)
        if opensApp { await moveApp(to: .active) }
    }

    private func dismiss(_ banner: String) async throws {
        guard let description = notifications[banner] else {
            throw VirtualPhoneError("there is no notification \(banner) on the phone")
        }
        removeBanner(banner)
        log("Dismissed the push")
        // The app is notified only for categories that request it.
        guard
            center.shimCategory(description.category)?.options.contains(.customDismissAction)
                == true
        else { return }
        await launchIfNeeded().respond(
            to: description,
            action: UNNotificationDismissActionIdentifier,
            text: nil
        )
    }

    func removeBanner(_ banner: String) {
        notifications[banner] = nil
        stories[banner] = nil
        extensions[banner] = nil
        drawn[banner] = nil
        change { $0.banners.removeAll { $0.id == banner } }
        center.removeDeliveredNotifications(withIdentifiers: [banner])
    }

    // MARK: - The app's process

    private func open() async {
        _ = await launchIfNeeded()
        await moveApp(to: .active)
    }

    private func quit() async {
        guard let process else { return }
        await process.move(to: .background)
        self.process = nil
        center.delegate = nil
        change { state in
            state.appState = .stopped
            state.inAppMessage = nil
        }
        log("The app has ended")
    }

    private func launchIfNeeded() async -> AppProcess {
        if let process { return process }
        let started = await AppProcess(
            configuration: configuration,
            dependencies: dependencies,
            center: center,
            firstUser: hasLoggedOut ? nil : settings.user,
            register: { [weak self] in
                guard let self else { throw VirtualPhoneError("the phone is gone") }
                return try await self.registerWithPushService()
            },
            show: { [weak self] url in Task { await self?.opened(url) } },
            showMessage: { [weak self] message in Task { await self?.showed(message) } },
            log: { [weak self] text in Task { await self?.appLogged(text) } }
        )
        process = started
        change { $0.appState = .background }
        log("The app has started")
        return started
    }

    private func moveApp(to appState: UIApplication.State) async {
        guard let process else { return }
        await process.move(to: appState)
        change { $0.appState = appState == .background ? .background : .foreground }
        await refreshFromSDK()
    }

    private func inApp<Value: Sendable>(
        _ body: @MainActor @Sendable (AppProcess) -> Value
    ) async -> Value {
        await body(await launchIfNeeded())
    }

    // MARK: - Events from below

    private func askPermission() async -> Bool {
        log("The app asks to send notifications")
        switch settings.permission {
        case .allowAtOnce: return true
        case .denyAtOnce: return false
        case .wait:
            change { $0.asksPermission = true }
            let isAllowed = await withCheckedContinuation { permissionAnswer = $0 }
            change { $0.asksPermission = false }
            return isAllowed
        }
    }

    private func registerWithPushService() async throws -> Data {
        let token = try await service.register(topic: settings.topic, device: id)
        change { $0.deviceToken = token.map { String(format: "%02x", $0) }.joined() }
        if reception == nil {
            let pushes = await service.pushes(for: token)
            reception = Task { [weak self] in
                for await push in pushes { await self?.receive(push) }
            }
        }
        return token
    }

    private func goOnline() async {
        radio.set(isOnline: true)
        change { $0.isOnline = true }
        log("Online")
        let kept = keptWhileOffline
        keptWhileOffline = []
        for push in kept { await receive(push) }
        if let process { await process.noroshi.flush() }
    }

    private func opened(_ url: URL) {
        change { $0.lastOpenedURL = url.absoluteString }
        log("Opened \(url.absoluteString)")
    }

    private func showed(_ message: InAppMessage?) {
        change { $0.inAppMessage = message.map(VirtualPhoneState.Message.init) }
        if let message { log("The app showed the message “\(message.header ?? message.message)”") }
    }

    func appLogged(_ text: String) async {
        log(text)
        await refreshFromSDK()
    }

    private func systemChanged() {
        let delivered = Set(center.shimDelivered.map(\.request.identifier))
        change { state in
            state.badge = center.shimBadge
            state.authorization = center.shimAuthorization.name
            state.banners.removeAll { !delivered.contains($0.id) }
        }
        notifications = notifications.filter { delivered.contains($0.key) }
        stories = stories.filter { delivered.contains($0.key) }
        extensions = extensions.filter { delivered.contains($0.key) }
        drawn = drawn.filter { delivered.contains($0.key) }
    }

    func refreshFromSDK() async {
        guard let noroshi = await process?.noroshi else { return }
        let user = noroshi.user.id
        let pending = noroshi.pendingRecordCount
        change { state in
            state.user = user
            state.pendingRecords = pending
        }
    }

    func log(_ text: String) { screen.log(text) }

    func change(_ body: (inout VirtualPhoneState) -> Void) { screen.change(body) }
}
