import Devices
import Foundation
import Gateways
import Phones

/// The virtual phones of a demo.
package actor VirtualPhones: PhoneHost {
    /// The settings common to all phones of a rack.
    package struct Settings: Sendable {
        /// The server's address.
        package var endpoint: String
        package var sdkKey: String
        package var appName: String
        package var topic: String
        /// The folder that contains a folder for each phone.
        package var folder: URL

        package init(
            endpoint: String,
            sdkKey: String,
            appName: String,
            topic: String,
            folder: URL
        ) {
            self.endpoint = endpoint
            self.sdkKey = sdkKey
            self.appName = appName
            self.topic = topic
            self.folder = folder
        }
    }

    /// Maximum number of phones per rack.
    private static let limit = 12

    private let simulator: APNsSimulator
    /// What all of them go by, if it can be moved.
    private let clock: DemoClock?
    private var settings: Settings?
    private var weeks: PhoneWeeks?
    /// For whom a phone has asked, or why that could not be.
    private var asked: [UUID: (user: String, failure: PhoneWeek.Failure?)] = [:]
    /// The phone that is kept for trials, once there has been one.
    private var trial: UUID?
    private var phones: [any VirtualDevice] = []
    private var summaries: [PhoneSummary] = []
    /// The screen state of each phone, which the phone itself does not know.
    private var glasses: [UUID: PhoneDisplay] = [:]
    private var watchers: [UUID: (phone: UUID, AsyncStream<PhoneState>.Continuation)] = [:]

    package init(simulator: APNsSimulator, clock: DemoClock? = nil) {
        self.simulator = simulator
        self.clock = clock
    }

    /// Sets the address of the server; phones can be added afterwards.
    ///
    /// - Parameter weeks: Plays what people will get.
    package func connect(_ settings: Settings, weeks: PhoneWeeks? = nil) {
        self.settings = settings
        self.weeks = weeks
    }

    /// Switches on a phone with the app on it, logged in as `user`.
    package func add(
        id: UUID,
        name: String,
        language: String,
        user: String?
    ) async throws -> VirtualPhone {
        guard let settings else { throw VirtualPhoneError("the server is not running yet") }
        guard phones.count < Self.limit else {
            throw VirtualPhoneError("there are \(Self.limit) phones, which is the most")
        }
        var phoneSettings = VirtualPhoneSettings(
            id: id,
            name: name,
            appName: settings.appName,
            topic: settings.topic,
            apiKey: settings.sdkKey,
            endpoint: settings.endpoint,
            container: settings.folder.appending(path: id.uuidString.lowercased())
        )
        phoneSettings.language = language
        phoneSettings.user = user
        phoneSettings.flushInterval = 0.2
        let clock = clock
        let phone = VirtualPhone(
            settings: phoneSettings,
            service: SimulatedPushService(simulator: simulator),
            now: { clock?.now ?? Date() }
        )
        try await adopt(phone, name: name)
        return phone
    }

    /// Switches on another kind of device and adds it.
    package func adopt(_ phone: any VirtualDevice, name: String) async throws {
        phones.append(phone)
        summaries.append(PhoneSummary(id: phone.id.uuidString.lowercased(), name: name))
        await phone.start()
        // The app has started once and asked for permission; from now on the phone is locked.
        try await phone.perform(.lock)
    }

    package func stop() async {
        for phone in phones { await phone.stop() }
        phones = []
    }

    // MARK: What the pages ask

    package func phones() async -> [PhoneSummary] { summaries }

    package func state(of phone: String) async -> PhoneState? {
        guard let found = find(phone) else { return nil }
        return drawn(await found.state)
    }

    package func changes(of phone: String) async -> AsyncStream<PhoneState> {
        guard let found = find(phone) else { return AsyncStream { $0.finish() } }
        let states = await found.states()
        let id = UUID()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            watchers[id] = (found.id, continuation)
            let work = Task {
                for await state in states { continuation.yield(drawn(state)) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                work.cancel()
                Task { await self.forget(id) }
            }
        }
    }

    package func picture(
        of phone: String,
        notification: String,
        page: Int
    ) async -> PhonePicture? {
        guard let found = find(phone),
            let banner = await found.state.banners.first(where: { $0.id == notification })
        else { return nil }
        let file =
            page == 0
            ? banner.attachment : banner.story?.pages[checked: page - 1]?.picture
        guard let file, let type = Self.mediaTypes[URL(filePath: file).pathExtension.lowercased()],
            let bytes = try? Data(contentsOf: URL(filePath: file))
        else { return nil }
        return PhonePicture(bytes: Array(bytes), mediaType: type)
    }

    /// The types of pictures that phones attach, by the extension of their files.
    private static let mediaTypes = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
    ]

    package func perform(_ action: PhoneAction, on phone: String) async throws {
        guard let found = find(phone) else { throw VirtualPhoneError("there is no such phone") }
        let before = await found.state
        let tried = glasses[found.id]?.tried
        switch action {
        case .tapMessage where tried != nil, .closeMessage where tried != nil:
            // The SDK knows nothing of it.
            break
        default:
            for step in await steps(of: action, on: found) { try await found.perform(step) }
        }
        let after = await found.state
        glasses[found.id, default: PhoneDisplay()].follow(action, from: before, to: after)
        tell(after)
    }

    /// A change of the screen state alone is not a change of the phone, so it is published here.
    private func tell(_ state: VirtualPhoneState) {
        for (phone, watcher) in watchers.values where phone == state.id {
            watcher.yield(drawn(state))
        }
    }

    package func phone(for user: String, language: String) async throws -> String {
        var found: (any VirtualDevice)?
        for phone in phones where await phone.state.user == user { found = found ?? phone }
        if let own = found {
            return own.id.uuidString.lowercased()
        }
        found = phones.first { $0.id == trial }
        if let found {
            try await found.perform(.logIn(user: user))
        } else {
            let id = UUID()
            trial = id
            found = try await add(
                id: id,
                name: "Phone \(phones.count + 1)",
                language: language,
                user: user
            )
        }
        guard let found else { throw VirtualPhoneError("there is no such phone") }
        for await state in await found.states() where state.deviceToken != nil { break }
        // The server knows of it once everything is sent.
        try await found.perform(.goOnline)
        return found.id.uuidString.lowercased()
    }

    package func show(_ message: PhoneInAppMessage, on phone: String) async throws {
        try await perform(.openApp, on: phone)
        guard let found = find(phone) else { return }
        glasses[found.id, default: PhoneDisplay()].tried = message
        tell(await found.state)
    }

    private func drawn(_ state: VirtualPhoneState) -> PhoneState {
        let glass = glasses[state.id] ?? PhoneDisplay()
        var drawn = PhoneState(state, glass: glass)
        if state.appState == .foreground, let tried = glass.tried { drawn.message = tried }
        drawn.secondsAhead = clock?.ahead
        return drawn
    }

    package func moveClock(by seconds: TimeInterval) async throws {
        guard let clock else { throw VirtualPhoneError("the clock cannot be moved") }
        try clock.move(by: seconds)
        for (phone, watcher) in watchers.values {
            guard let found = phones.first(where: { $0.id == phone }) else { continue }
            watcher.yield(drawn(await found.state))
        }
    }

    package func playWeek(on phone: String) async {
        guard let found = find(phone), let weeks else { return }
        let user = await found.state.user
        let failure = await weeks.play(for: user)
        asked[found.id] = (user ?? "", failure)
    }

    package func week(on phone: String) async -> PhoneWeek? {
        guard let found = find(phone), let weeks, let (user, failure) = asked[found.id] else {
            return nil
        }
        var week = await weeks.week(of: user)
        if let failure { week.state = .failed(failure) }
        return week
    }

    private func forget(_ watcher: UUID) { watchers[watcher] = nil }

    package func addPhone(language: String) async throws -> String {
        let id = UUID()
        _ = try await add(
            id: id,
            name: "Phone \(phones.count + 1)",
            language: language,
            user: nil
        )
        return id.uuidString.lowercased()
    }

    private func find(_ id: String) -> (any VirtualDevice)? {
        phones.first { $0.id.uuidString.lowercased() == id.lowercased() }
    }

    private func steps(
        of action: PhoneAction,
        on phone: any VirtualDevice
    ) async -> [VirtualPhoneAction] {
        switch action {
        case .tap(let banner): [.tap(banner: banner)]
        case .press(let button, let banner, let text):
            [.button(banner: banner, button: button, text: text)]
        case .expand(let banner): [.expand(banner: banner)]
        case .collapse(let banner): [.collapse(banner: banner)]
        case .touch(let element, let banner): [.touch(banner: banner, element: element)]
        case .type(let text, let element, let banner):
            [.type(banner: banner, element: element, text: text)]
        case .turnPage(let banner, let turn):
            [.turnPage(banner: banner, StoryTurn(turn))]
        case .tapPage(let banner): [.tapPage(banner: banner)]
        case .dismiss(let banner): [.dismiss(banner: banner)]
        case .clearAll: await phone.state.banners.map { .dismiss(banner: $0.id) }
        case .tapMessage(let button): [.tapMessage(button: button)]
        case .closeMessage: [.closeMessage]
        case .openApp: [.openApp]
        case .goHome, .lock: [.lock]
        case .unlock: []
        case .goOffline: [.goOffline]
        case .goOnline: [.goOnline]
        case .logIn(let user): [.logIn(user: user)]
        case .logOut: [.logOut]
        case .viewTea(let tea): [.shop(.view(tea: tea))]
        case .addToCart: [.shop(.addToCart)]
        case .buy: [.shop(.buy)]
        case .signUp(let user): [.shop(.signUp(user: user))]
        case .chooseLanguage(let language): [.changeLanguage(language)]
        }
    }
}

extension PhoneState {
    fileprivate init(_ state: VirtualPhoneState, glass: PhoneDisplay) {
        self.init(
            id: state.id.uuidString.lowercased(),
            name: state.name,
            language: state.language,
            isOnline: state.isOnline,
            screen: state.appState == .foreground ? .app : glass.isUnlocked ? .home : .locked,
            appName: state.appName,
            badge: state.badge,
            permission: PhonePermission(authorization: state.authorization),
            user: state.user,
            notifications: state.banners.map {
                PhoneNotification($0, on: state.id.uuidString.lowercased())
            },
            app: glass.app(lastOpenedURL: state.lastOpenedURL),
            shop: PhoneShop(state.shop),
            message: state.appState == .foreground
                ? state.inAppMessage.map(PhoneInAppMessage.init) : nil,
            log: state.log.map { PhoneLogLine(at: $0.date, kind: .sdk, text: $0.text) }
        )
    }
}

extension PhoneShop {
    fileprivate init(_ shop: VirtualPhoneState.Shop) {
        func tea(_ tea: VirtualPhoneState.Shop.Tea) -> Tea {
            Tea(name: tea.name, price: tea.price)
        }
        self.init(
            menu: VirtualPhoneState.Shop.menu.map(tea),
            currency: VirtualPhoneState.Shop.currency,
            viewed: shop.viewed,
            cart: shop.cart.map(tea)
        )
    }
}

extension PhoneInAppMessage {
    fileprivate init(_ message: VirtualPhoneState.Message) {
        self.init(id: message.id, kind: message.kind, text: message.text, wire: message.wire)
    }
}

extension PhonePermission {
    fileprivate init(authorization: String) {
        switch authorization {
        case "authorized", "ephemeral": self = .granted
        case "provisional": self = .provisional
        case "denied": self = .denied
        default: self = .notDetermined
        }
    }
}

extension PhoneNotification {
    fileprivate init(_ banner: VirtualPhoneState.Banner, on phone: String) {
        func path(_ page: Int) -> String {
            PhonePath.picture(of: phone, notification: banner.id, page: page)
        }
        self.init(
            id: banner.id,
            title: banner.title,
            subtitle: banner.subtitle,
            body: banner.body,
            receivedAt: banner.date,
            threadID: banner.thread,
            image: banner.attachment == nil ? nil : path(0),
            buttons: banner.buttons.map {
                PhoneButton(
                    id: $0.id,
                    title: $0.title,
                    isDestructive: $0.isDestructive,
                    textHint: $0.placeholder
                )
            },
            content: banner.content.map(PhoneContentElement.init),
            story: banner.story.map { story in
                PhoneStory(
                    pages: story.pages.enumerated().map { index, page in
                        PhoneStory.Page(
                            title: page.title,
                            subtitle: page.subtitle,
                            address: page.image,
                            image: page.picture == nil ? nil : path(index + 1)
                        )
                    },
                    number: story.number,
                    isAdvancing: story.isAdvancing,
                    pageSeconds: VirtualPhoneState.Banner.Story.pageSeconds
                )
            }
        )
    }
}

extension PhoneContentElement {
    fileprivate init(_ element: ContentElement) {
        let kind: Kind =
            switch element.kind {
            case .column: .column
            case .row: .row
            case .text: .text
            case .button: .button
            case .field: .field
            case .progress: .progress
            case .wheel: .wheel
            }
        self.init(
            id: element.id,
            kind: kind,
            text: element.text,
            label: element.label,
            isEnabled: element.isEnabled,
            placeholder: element.placeholder,
            keyboard: element.keyboard,
            fraction: element.fraction,
            sectors: element.sectors,
            degrees: element.degrees,
            children: element.children?.map(PhoneContentElement.init)
        )
    }
}

extension StoryTurn {
    fileprivate init(_ turn: PhonePageTurn) {
        switch turn {
        case .forward: self = .forward
        case .back: self = .back
        case .byItself: self = .byItself
        }
    }
}

extension Array {
    fileprivate subscript(checked index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
