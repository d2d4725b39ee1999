import Foundation
import NoroshiOutbox
import NoroshiWire

/// What happens with a message that is due.
public enum NoroshiDisplayChoice: Sendable {
    /// It is shown now.
    case display
    /// It waits until `presentNext()`.
    case later
    /// It is not shown.
    case discard
}

/// Shows in-app messages: `NoroshiUI` brings one, an app may bring its own.
public protocol NoroshiInAppMessagePresenter: AnyObject, Sendable {
    /// Shows the message of `context` and calls back through it.
    @MainActor
    func present(_ context: NoroshiInAppMessageContext)

    /// Takes away what is shown, because the user has changed or the data was wiped.
    @MainActor
    func dismiss()
}

/// Decides about messages that are due.
public protocol NoroshiInAppMessageDelegate: AnyObject, Sendable {
    /// What happens with `message`; `display` unless the app says otherwise. `extras["view_type"]`
    /// is where campaigns name a view of the app's own.
    @MainActor
    func displayChoice(for message: InAppMessage) -> NoroshiDisplayChoice
}

/// In-app messages on the device: which is shown when. Messages come from the server at the start
/// of a session and are kept for use without network.
public final class NoroshiInAppMessages: Sendable {
    private struct State {
        var selector = InAppMessageSelector()
        var isLoaded = false
        /// Messages that wait, the newest last, with the users they were triggered for.
        var stack: [(message: InAppMessage, user: String?)] = []
        var visible: NoroshiInAppMessageContext?
        /// How often everything was taken away. An answer that was asked for before is too late.
        var resets = 0
        /// Why the messages are fetched again before the next session.
        var owed = Owed.nothing
        /// Whether the start of the session has found no message yet.
        var sessionStartWaits = false
        weak var presenter: (any NoroshiInAppMessagePresenter)?
        weak var delegate: (any NoroshiInAppMessageDelegate)?
        var owner: @Sendable () -> Noroshi? = { nil }
    }

    /// What the server has to do before its messages are the user's.
    private enum Owed: Equatable {
        case nothing
        /// It has to answer for this record: before, it may know another user on this device.
        case receipt(of: UUID)
        /// It has to answer at all.
        case answer
    }

    /// Messages that wait at most.
    private static let stackLimit = 20

    private let recorder: Recorder
    private let links: LinkRouter
    private let platform: NoroshiPlatform
    private let state = Locked(State())

    init(recorder: Recorder, links: LinkRouter, platform: NoroshiPlatform) {
        self.recorder = recorder
        self.links = links
        self.platform = platform
    }

    /// Names the SDK that calls of a message's page are carried out by.
    func setOwner(_ owner: @escaping @Sendable () -> Noroshi?) {
        state.withLock { $0.owner = owner }
    }

    /// Shows messages; without one they wait. Not retained.
    public var presenter: (any NoroshiInAppMessagePresenter)? {
        get { state.withLock { $0.presenter } }
        set {
            state.withLock { $0.presenter = newValue }
            if newValue != nil { Task { await presentNext() } }
        }
    }

    /// Decides about messages that are due. Not retained.
    public var delegate: (any NoroshiInAppMessageDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The message on the screen.
    public var visibleMessage: InAppMessage? { state.withLock { $0.visible?.message } }

    /// How many messages wait.
    public var waitingCount: Int { state.withLock { $0.stack.count } }

    /// Fetches the user's messages; the SDK does it at the start of every session.
    public func refresh(with noroshi: Noroshi) async {
        // Before anything that takes time: a user who logs in meanwhile is unknown to the server until
        // the next flush, and asks for messages with a session of their own.
        let resets = state.withLock { $0.resets }
        let user = noroshi.user.id
        // Without its name the next session fetches them again.
        let newest = try? recorder.store.newestWaiting()
        // The server renders messages for the user whom it knows on this device.
        if recorder.configuration.api.requestPolicy == .automatic { await noroshi.flush() }
        let isReported = newest.flatMap { try? recorder.store.isWaiting($0) } != true
        let isCurrent = state.withLock { state in
            guard state.resets == resets else { return false }
            // As long as the server pauses, or the app sends by itself, it may not know the user yet,
            // and what it hands out names nobody.
            state.owed = newest.map { isReported ? .nothing : .receipt(of: $0) } ?? .nothing
            return true
        }
        guard isCurrent else { return }
        do {
            var query = ["device": noroshi.deviceId ?? ""]
            query["user"] = user
            let data = try await noroshi.fetch("sdk/v1/in_app_messages", query: query)
            let messages = try JSONDecoder().decode(SDKInAppMessages.self, from: data).messages
            // What was rendered for one user is not shown to the next one.
            change(unlessResetSince: resets) { $0.replace(with: messages) }
        } catch {
            // Those of the last time are used on.
            recorder.logger.log(.info, "in-app messages could not be fetched: \(error)")
            state.withLock { state in
                if state.resets == resets, state.owed == .nothing { state.owed = .answer }
            }
        }
        // The answer may have come between the two looks.
        await serverHasAnswered(of: noroshi)
    }

    /// Fetches the messages again if the server had not heard of the user before it has answered for
    /// records now.
    func serverHasAnswered(_ isForRecords: Bool = false, of noroshi: Noroshi) async {
        let owed = state.withLock { $0.owed }
        switch owed {
        case .nothing:
            return
        case .answer:
            guard isForRecords else { return }
        case .receipt(of: let record):
            guard (try? recorder.store.isWaiting(record)) == false else { return }
        }
        let isTaken = state.withLock { state in
            guard state.owed == owed else { return false }
            state.owed = .nothing
            return true
        }
        guard isTaken else { return }
        await refresh(with: noroshi)
        if state.withLock({ $0.owed == .nothing && $0.sessionStartWaits }) {
            happened(.sessionStart)
        }
    }

    /// Takes over a list of messages, as from the server.
    public func replace(with messages: [InAppMessage]) {
        change { $0.replace(with: messages) }
    }

    /// Shows a message that the app has made, under the same rules of display; nothing is recorded
    /// by itself.
    public func present(_ message: InAppMessage) {
        push(message)
        Task { await presentNext() }
    }

    /// Shows the newest of the waiting messages, if the app is in front and none is visible.
    @MainActor
    public func presentNext() async {
        guard await platform.isActive() else { return }
        let user = recorder.state?.externalID
        var refused: [(message: InAppMessage, user: String?)] = []
        defer {
            let kept = refused
            state.withLock { $0.stack.insert(contentsOf: kept.reversed(), at: 0) }
        }
        while true {
            let next = state.withLock { state -> (InAppMessage, String?)? in
                guard state.visible == nil, state.presenter != nil else { return nil }
                return state.stack.popLast().map { ($0.message, $0.user) }
            }
            guard let (message, owner) = next else { return }
            // A message that another user has triggered is nobody's business now.
            guard owner == user else { continue }
            switch delegate?.displayChoice(for: message) ?? .display {
            case .discard: continue
            case .later: refused.append((message, owner))
            case .display:
                show(message)
                return
            }
        }
    }

    @MainActor
    private func show(_ message: InAppMessage) {
        let user = recorder.state?.externalID
        let context = NoroshiInAppMessageContext(
            message: message,
            recorder: recorder,
            links: links,
            platform: platform,
            owner: state.withLock { $0.owner },
            steps: NoroshiInAppMessageContext.Steps(
                seen: { [weak self] in
                    guard let self else { return }
                    let now = recorder.dependencies.now()
                    change { $0.noteShowing(message, at: now) }
                },
                closed: { [weak self] in
                    self?.state.withLock { $0.visible = nil }
                    Task { await self?.presentNext() }
                },
                postponed: { [weak self] in self?.postpone(message, of: user) }
            )
        )
        if message.kind == .control {
            // Nothing to see; what counts is that it would have been shown.
            context.logImpression()
            return
        }
        let presenter = state.withLock { state in
            state.visible = context
            return state.presenter
        }
        presenter?.present(context)
    }

    /// Puts a message back that found no screen, and tries again after a second while the app is in
    /// front: at a cold start the session begins before the first window is there.
    private func postpone(_ message: InAppMessage, of user: String?) {
        state.withLock { state in
            state.visible = nil
            state.stack.append((message, user))
        }
        Task {
            // The wait is not cancelled, and an injected one that fails has waited enough.
            try? await recorder.dependencies.sleep(1)
            await presentNext()
        }
    }

    // MARK: - What happens in the app

    func happened(_ occurrence: InAppMessageSelector.Occurrence) {
        let gap = recorder.configuration.triggerMinimumTimeInterval
        let now = recorder.dependencies.now()
        loadIfNeeded()
        let message = state.withLock { state in
            let message = state.selector.message(for: occurrence, at: now, gap: gap)
            if occurrence == .sessionStart {
                state.sessionStartWaits = message == nil && state.owed != .nothing
            }
            return message
        }
        guard let message else { return }
        let user = recorder.state?.externalID
        Task {
            let delay = message.rules.delaySeconds
            // The wait is not cancelled, and an injected one that fails has waited enough.
            if delay > 0 { try? await recorder.dependencies.sleep(delay) }
            let time = recorder.dependencies.now()
            // Another message may have been shown meanwhile.
            guard state.withLock({ $0.selector.mayShow(message, at: time, gap: gap) }) else {
                return
            }
            push(message, user: user)
            await presentNext()
        }
    }

    /// Takes everything away, as after a change of user: the messages were made for the one before.
    /// What was shown stays known.
    func reset() {
        state.withLock { state in
            state.resets += 1
            state.owed = .nothing
            state.sessionStartWaits = false
        }
        change { $0.messages = [] }
        let presenter = state.withLock { state in
            state.stack = []
            defer { state.visible = nil }
            state.visible?.abandon()
            return state.visible == nil ? nil : state.presenter
        }
        if let presenter { Task { @MainActor in presenter.dismiss() } }
    }

    private func push(_ message: InAppMessage) {
        push(message, user: recorder.state?.externalID)
    }

    private func push(_ message: InAppMessage, user: String?) {
        state.withLock { state in
            guard !state.stack.contains(where: { $0.message.id == message.id }) else { return }
            state.stack.append((message, user))
            if state.stack.count > Self.stackLimit { state.stack.removeFirst() }
        }
    }

    // MARK: - Keeping

    private func loadIfNeeded() {
        let isLoaded = state.withLock { state in
            defer { state.isLoaded = true }
            return state.isLoaded
        }
        guard !isLoaded, let data = recorder.store.readFile("in-app-messages.json") else { return }
        // A file of another version is as good as none: the server sends its contents again.
        guard let selector = try? JSONDecoder().decode(InAppMessageSelector.self, from: data)
        else { return }
        state.withLock { $0.selector = selector }
    }

    private func change(
        unlessResetSince resets: Int? = nil,
        _ body: (inout InAppMessageSelector) -> Void
    ) {
        loadIfNeeded()
        let selector = state.withLock { state -> InAppMessageSelector? in
            if let resets, resets != state.resets { return nil }
            body(&state.selector)
            return state.selector
        }
        guard let selector else { return }
        do {
            try recorder.store.writeFile(
                "in-app-messages.json",
                try JSONEncoder().encode(selector)
            )
        } catch {
            recorder.logger.log(.error, "in-app messages could not be kept: \(error)")
        }
    }
}
