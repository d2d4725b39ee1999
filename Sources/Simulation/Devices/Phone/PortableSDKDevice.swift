import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// A virtual Android phone or browser: the app gets every message as data, shows it itself, and
/// calls the SDK, whose portable part is the real one.
package actor PortableSDKDevice: VirtualDevice {
    /// The kind of the simulated device.
    package enum Kind: String, Sendable {
        case android, web

        var device: (model: String, system: String) {
            switch self {
            case .android: ("Virtual Android", "15")
            case .web: ("Virtual browser", "1")
            }
        }
    }

    private struct Shown {
        var message: PhoneMessage
        var date: Date
    }

    package nonisolated let id: UUID
    private let kind: Kind
    private let settings: VirtualPhoneSettings
    private let service: any MessageService
    private let now: @Sendable () -> Date
    private let radio: SimulatedNetwork
    private let screen: PhoneScreen
    /// Whether the app is in the foreground; the SDK asks from any thread.
    private let isActive = Locked(false)

    private var noroshi: Noroshi?
    private var shop = DemoShop()
    /// Whether the app's first user has logged out; a new launch does not log them in again.
    private var hasLoggedOut = false
    private var shown: [String: Shown] = [:]
    /// The push stories by notification, which an app on Android shows by itself.
    private var stories: [String: NoroshiPushStory] = [:]
    private var reception: Task<Void, Never>?
    private var keptWhileOffline: [PhoneMessage] = []

    package init(
        kind: Kind,
        settings: VirtualPhoneSettings,
        service: any MessageService,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        id = settings.id
        self.kind = kind
        self.settings = settings
        self.service = service
        self.now = now
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

    package var state: VirtualPhoneState { screen.state }

    package func states() -> AsyncStream<VirtualPhoneState> { screen.states() }

    package func start() async {
        screen.log("\(settings.appName) is installed")
        await open()
        do {
            try await register()
        } catch {
            screen.log("There is no registration: \(error)")
        }
    }

    package func stop() async {
        reception?.cancel()
        reception = nil
        quit()
        screen.close()
    }

    package func perform(_ action: VirtualPhoneAction) async throws {
        switch action {
        case .openApp:
            await open()
        case .lock:
            close()
        case .quitApp:
            quit()
        case .tap(let banner):
            try await tap(banner, button: nil)
        case .turnPage(let banner, let turn):
            guard var story = stories[banner] else { throw Self.noStory(banner) }
            story.turn(turn)
            stories[banner] = story
            screen.change { state in
                guard let index = state.banners.firstIndex(where: { $0.id == banner }) else {
                    return
                }
                state.banners[index].story?.follow(story)
            }
        case .tapPage(let banner):
            guard let story = stories[banner] else { throw Self.noStory(banner) }
            try await tap(banner, button: nil, page: story.number)
        case .expand, .collapse:
            // There are no content extensions: what is expanded is the notification itself.
            break
        case .touch(let banner, _), .type(let banner, _, _):
            throw VirtualPhoneError("the notification \(banner) has no content of the app's")
        case .button(let banner, let button, _):
            try await tap(banner, button: button)
        case .dismiss(let banner):
            guard shown.removeValue(forKey: banner) != nil else { throw Self.noBanner(banner) }
            stories[banner] = nil
            screen.change { $0.banners.removeAll { $0.id == banner } }
            screen.log("Dismissed the push")
        case .answerPermission:
            throw VirtualPhoneError("the phone does not ask for permission")
        case .tapMessage, .closeMessage:
            throw VirtualPhoneError("the app shows no message")
        case .logIn(let user):
            _ = try launch().changeUser(userId: user).get()
            screen.log("Logged in as \(user)")
        case .logEvent(let name):
            _ = try launch().logCustomEvent(name: name).get()
            screen.log("The app logged the event \(name)")
        case .shop(let action):
            let text = try shop.perform(action, in: launch())
            let state = shop.state
            screen.change { $0.shop = state }
            screen.log(text)
        case .logOut:
            let noroshi = launch()
            await noroshi.logout()
            noroshi.enabled = true
            hasLoggedOut = true
            shop.empty()
            screen.change { $0.shop = .init() }
            screen.log("Logged out")
            do {
                try await register()
            } catch {
                screen.log("There is no registration: \(error)")
            }
        case .goOffline:
            radio.set(isOnline: false)
            screen.change { $0.isOnline = false }
            screen.log("Offline")
        case .goOnline:
            await goOnline()
        case .changeLanguage(let language):
            screen.change { $0.language = language }
            _ = try launch().user.set(language: language).get()
            screen.log("The language is \(language)")
        }
        refresh()
    }

    // MARK: - Messages

    /// Receives a message from the push provider.
    package func receive(_ message: PhoneMessage) async {
        guard screen.state.isOnline else {
            keptWhileOffline.removeAll { $0.tag == message.tag }
            keptWhileOffline.append(message)
            return
        }
        // A message starts the app if it is not running.
        guard launch().notifications.handleRemoteMessage(message.data) else {
            screen.log("A message arrived that is not Noroshi’s")
            return
        }
        screen.log("The SDK handled a message")
        if let badge = message.badge { screen.change { $0.badge = max(0, badge) } }
        guard !(message.title + message.body).isEmpty else { return }
        let earlier = shown.updateValue(
            Shown(message: message, date: now()),
            forKey: message.tag
        )
        // A browser has no way to turn pages.
        stories[message.tag] =
            kind == .android
            ? PushPayload(data: message.data).flatMap { NoroshiPushStory($0) } : nil
        let banner = VirtualPhoneState.Banner(
            id: message.tag,
            title: message.title.isEmpty ? settings.appName : message.title,
            subtitle: "",
            body: message.body,
            date: now(),
            thread: "",
            category: "",
            buttons: message.buttons.map {
                VirtualPhoneState.Banner.Button(
                    id: $0.id,
                    title: $0.title,
                    isDestructive: false,
                    placeholder: nil
                )
            },
            attachment: nil,
            pairs: message.data.filter {
                !PushPayloadKey.reserved.contains($0.key)
                    && !["title", "body", "image"].contains($0.key)
            },
            story: stories[message.tag].map { .init($0) }
        )
        screen.change { state in
            state.banners.removeAll { $0.id == banner.id }
            state.banners.insert(banner, at: 0)
        }
        screen.log("\(earlier == nil ? "Showed" : "Replaced") the push “\(banner.title)”")
        refresh()
    }

    private func tap(_ banner: String, button: String?, page: Int? = nil) async throws {
        guard let message = shown[banner]?.message else { throw Self.noBanner(banner) }
        if let button, !message.buttons.contains(where: { $0.id == button }) {
            throw VirtualPhoneError("the notification has no button \(button)")
        }
        shown[banner] = nil
        stories[banner] = nil
        screen.change { state in
            state.banners.removeAll { $0.id == banner }
            state.lastOpenedURL = nil
        }
        screen.log(
            button.map { "Tapped the button \($0)" } ?? page.map { "Tapped page \($0) of the push" }
                ?? "Tapped the push"
        )
        _ = launch().notifications.handleTap(
            onRemoteMessage: message.data,
            action: button,
            storyPage: page
        )
        await open()
    }

    private static func noStory(_ banner: String) -> VirtualPhoneError {
        VirtualPhoneError("the notification \(banner) is no push story")
    }

    private static func noBanner(_ banner: String) -> VirtualPhoneError {
        VirtualPhoneError("there is no notification \(banner) on the phone")
    }

    // MARK: - The app

    private func open() async {
        let noroshi = launch()
        isActive.withLock { $0 = true }
        noroshi.applicationDidBecomeActive()
        screen.change { $0.appState = .foreground }
        refresh()
    }

    private func close() {
        guard let noroshi, isActive.withLock({ $0 }) else { return }
        isActive.withLock { $0 = false }
        noroshi.applicationDidEnterBackground()
        screen.change { $0.appState = .background }
    }

    private func quit() {
        close()
        noroshi = nil
        screen.change { $0.appState = .stopped }
    }

    private func launch() -> Noroshi {
        if let noroshi { return noroshi }
        var configuration = NoroshiConfiguration(
            apiKey: settings.apiKey,
            endpoint: settings.endpoint
        )
        configuration.storage.directory = settings.container
        configuration.api.flushInterval = settings.flushInterval
        configuration.push.linkHandling = .handler
        let device = kind.device
        let started = Noroshi(
            configuration: configuration,
            dependencies: NoroshiDependencies(
                now: now,
                transport: radio,
                device: NoroshiDevice(
                    platform: kind.rawValue,
                    model: device.model,
                    osVersion: device.system,
                    appVersion: "1.0",
                    locale: screen.state.language,
                    timeZone: settings.timeZone
                )
            ),
            platform: NoroshiPlatform(
                open: { _ in true },
                setBadge: { [screen] badge in screen.change { $0.badge = max(0, badge) } },
                pushAuthorization: { "authorized" },
                isActive: { [isActive] in isActive.withLock { $0 } },
                observeLifecycle: { _, _ in {} }
            )
        )
        started.notifications.setLinkHandler { [screen] context in
            screen.change { $0.lastOpenedURL = context.url.absoluteString }
            screen.log("Opened \(context.url.absoluteString)")
        }
        if !hasLoggedOut, let user = settings.user, started.user.id == nil {
            started.changeUser(userId: user)
        }
        noroshi = started
        screen.change { state in
            state.authorization = "authorized"
            state.appState = .background
        }
        return started
    }

    private func register() async throws {
        let registration = try await service.register(device: id)
        let notifications = launch().notifications
        switch registration {
        case .firebase(let token):
            notifications.register(firebaseToken: token)
        case .webPush(let endpoint, let publicKey, let secret):
            notifications.register(
                webPushEndpoint: endpoint,
                publicKey: publicKey,
                authenticationSecret: secret
            )
        }
        screen.change { $0.deviceToken = registration.text }
        screen.log("The app is registered for pushes")
        // After a logout the same registration is told to the server again.
        guard reception == nil else { return }
        let messages = await service.messages(for: registration)
        reception = Task { [weak self] in
            for await message in messages { await self?.receive(message) }
        }
    }

    private func goOnline() async {
        radio.set(isOnline: true)
        screen.change { $0.isOnline = true }
        screen.log("Online")
        let kept = keptWhileOffline
        keptWhileOffline = []
        for message in kept { await receive(message) }
        await noroshi?.flush()
    }

    private func refresh() {
        guard let noroshi else { return }
        let (user, pending) = (noroshi.user.id, noroshi.pendingRecordCount)
        screen.change { state in
            state.user = user
            state.pendingRecords = pending
        }
    }
}
