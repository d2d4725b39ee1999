import Foundation
import Phones

/// Phones that keep their state in memory, without an SDK inside.
package actor SamplePhones: PhoneHost {
    private var states: [String: PhoneState] = [:]
    private var order: [String] = []
    /// Those that have asked for their week.
    private var played: Set<String> = []
    /// What arrived while a phone had no network.
    private var waiting: [String: [PhoneNotification]] = [:]
    /// What the app gets with a push, by notification.
    private var pushes: [String: (url: String, pairs: [PhonePair])] = [:]
    private var watchers: [UUID: (phone: String, AsyncStream<PhoneState>.Continuation)] = [:]

    package init(now: Date) {
        let state = Self.fresh("phone-1", "iPhone 1", "en", now)
        states[state.id] = state
        order = [state.id]
    }

    package func phones() async -> [PhoneSummary] {
        order.compactMap { states[$0] }.map { PhoneSummary(id: $0.id, name: $0.name) }
    }

    package func state(of phone: String) async -> PhoneState? { states[phone] }

    package func changes(of phone: String) async -> AsyncStream<PhoneState> {
        let id = UUID()
        return AsyncStream { continuation in
            watchers[id] = (phone, continuation)
            if let state = states[phone] { continuation.yield(state) }
            continuation.onTermination = { _ in Task { await self.forget(id) } }
        }
    }

    package func picture(
        of phone: String,
        notification: String,
        page: Int
    ) async -> PhonePicture? { nil }

    package func moveClock(by seconds: TimeInterval) async throws {
        for var state in order.compactMap({ states[$0] }) {
            state.secondsAhead = (state.secondsAhead ?? 0) + seconds
            tell(state)
        }
    }

    package func playWeek(on phone: String) async { played.insert(phone) }

    /// A push and an in-app message on the first day, for the phone that asked.
    package func week(on phone: String) async -> PhoneWeek? {
        guard played.contains(phone) else { return nil }
        return PhoneWeek(
            user: "ada",
            zone: .gmt,
            state: .done([
                PhoneWeek.Message(
                    time: Date(timeIntervalSince1970: 1_767_258_000),
                    source: "Friday tea",
                    isInApp: false,
                    title: "<Tea>",
                    body: "A second pot"
                ),
                PhoneWeek.Message(
                    time: Date(timeIntervalSince1970: 1_767_261_600),
                    source: "Welcome",
                    isInApp: true,
                    title: "",
                    body: "Hello"
                ),
            ])
        )
    }

    package func phone(for user: String, language: String) async throws -> String {
        if let own = order.first(where: { states[$0]?.user == user }) { return own }
        let id = try await addPhone(language: language)
        states[id]?.user = user
        return id
    }

    package func show(_ message: PhoneInAppMessage, on phone: String) async throws {
        guard var state = states[phone] else { return }
        state.screen = .app
        state.message = message
        tell(state)
    }

    package func addPhone(language: String) async throws -> String {
        let number = order.count + 1
        let state = Self.fresh("phone-\(number)", "iPhone \(number)", language, Date())
        states[state.id] = state
        order.append(state.id)
        return state.id
    }

    /// Lets a push arrive.
    package func receive(title: String, body: String, url: String, pairs: [PhonePair]) {
        for id in order {
            guard let state = states[id] else { continue }
            let notification = PhoneNotification(
                id: UUID().uuidString,
                title: title.isEmpty ? state.appName : title,
                body: body,
                receivedAt: Date(),
                threadID: title.hasPrefix("ポイント") ? "points" : "",
                buttons: [
                    PhoneButton(id: "yes", title: "Yes"),
                    PhoneButton(id: "reply", title: "Reply", textHint: "Your answer"),
                ]
            )
            pushes[notification.id] = (url, pairs)
            waiting[id, default: []].append(notification)
            if state.isOnline { tell(delivered(state)) }
        }
    }

    private func delivered(_ state: PhoneState) -> PhoneState {
        var state = state
        for notification in waiting.removeValue(forKey: state.id) ?? [] {
            state.notifications.insert(notification, at: 0)
            state.badge += 1
            note(&state, .push, "received “\(notification.title)” over HTTP/2")
        }
        return state
    }

    package func perform(_ action: PhoneAction, on phone: String) async throws {
        guard var state = states[phone] else { return }
        note(&state, .person, "\(action)")
        switch action {
        case .tap(let id):
            open(&state, id, button: nil)
        case .press(let button, let id, _):
            open(&state, id, button: button)
        case .expand, .collapse, .touch, .type, .turnPage:
            break
        case .tapPage(let id):
            open(&state, id, button: nil)
        case .dismiss(let id):
            state.notifications.removeAll { $0.id == id }
        case .clearAll:
            state.notifications = []
        case .tapMessage, .closeMessage:
            state.message = nil
        case .openApp:
            state.screen = .app
            state.app = PhoneAppState()
            state.badge = 0
        case .goHome, .unlock:
            state.screen = .home
        case .lock:
            state.screen = .locked
        case .goOffline:
            state.isOnline = false
        case .goOnline:
            state.isOnline = true
            state = delivered(state)
        case .viewTea, .addToCart, .buy:
            break
        case .logIn(let user), .signUp(let user):
            state.user = user
        case .logOut:
            state.user = nil
        case .chooseLanguage(let language):
            state.language = language
        }
        tell(state)
    }

    private func open(_ state: inout PhoneState, _ id: String, button: String?) {
        guard let shown = state.notifications.first(where: { $0.id == id }) else { return }
        state.notifications.removeAll { $0.id == id }
        state.screen = .app
        state.app = PhoneAppState(
            openedBy: shown.title,
            button: button,
            url: pushes[shown.id]?.url,
            pairs: pushes[shown.id]?.pairs ?? []
        )
        state.badge = 0
        note(&state, .sdk, "logged a direct open")
        note(&state, .network, "POST /sdk/v1/batch → 200, 1 record acknowledged")
    }

    private func note(_ state: inout PhoneState, _ kind: PhoneLogLine.Kind, _ text: String) {
        state.log.append(PhoneLogLine(at: Date(), kind: kind, text: text))
    }

    private func tell(_ state: PhoneState) {
        states[state.id] = state
        for (phone, watcher) in watchers.values where phone == state.id { watcher.yield(state) }
    }

    private func forget(_ id: UUID) { watchers[id] = nil }

    private static func fresh(
        _ id: String,
        _ name: String,
        _ language: String,
        _ now: Date
    ) -> PhoneState {
        var state = PhoneState(
            id: id,
            name: name,
            language: language,
            isOnline: true,
            screen: .locked,
            appName: "Kissa Aoi",
            badge: 0,
            permission: .granted,
            user: "yuki",
            notifications: [],
            app: PhoneAppState(),
            log: [
                PhoneLogLine(at: now, kind: .sdk, text: "asked for permission: granted"),
                PhoneLogLine(at: now, kind: .sdk, text: "registered device token 8f2c…a91e"),
                PhoneLogLine(
                    at: now,
                    kind: .network,
                    text: "POST /sdk/v1/batch → 200, 2 records acknowledged"
                ),
            ]
        )
        state.secondsAhead = 0
        return state
    }
}
