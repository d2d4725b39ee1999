import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// The decision about a due message.
public enum NoroshiDisplayChoice: Sendable {
    /// It is shown now.
    case display
    /// It waits until `presentNext()`.
    case later
    /// It is not shown.
    case discard
}

/// Shows in-app messages: `NoroshiUI` contains one, and an app may provide its own.
public protocol NoroshiInAppMessagePresenter: AnyObject, Sendable {
    /// Shows the message of `context` and calls back through it.
    @MainActor
    func present(_ context: NoroshiInAppMessageContext)

    /// Removes the visible message, because the user has changed or the data was wiped.
    @MainActor
    func dismiss()
}

/// Decides about due messages.
public protocol NoroshiInAppMessageDelegate: AnyObject, Sendable {
    /// The decision about `message`; `display` by default. In `extras["view_type"]` campaigns can
    /// name a custom view of the app.
    @MainActor
    func displayChoice(for message: InAppMessage) -> NoroshiDisplayChoice
}

/// Selects and shows in-app messages on the device. Messages come from the server at the start of a
/// session and are stored for use without a network.
public final class NoroshiInAppMessages: Sendable {
    private struct State {
        var selector = InAppMessageSelector()
        var isLoaded = false
        /// Waiting messages, the newest last.
        var stack: [Waiting] = []
        var visible: NoroshiInAppMessageContext?
        /// Who shows the visible message.
        weak var visibleIn: (any NoroshiInAppMessagePresenter)?
        /// The visible message, until the user has seen it: its picture may still be loading.
        var unseen: String?
        /// Number of resets. A response to an earlier request is outdated.
        var resets = 0
        /// The reason why the messages are fetched again before the next session.
        var owed = Owed.nothing
        /// Whether the start of the session has not found a message yet.
        var sessionStartWaits = false
        weak var presenter: (any NoroshiInAppMessagePresenter)?
        weak var delegate: (any NoroshiInAppMessageDelegate)?
        var owner: @Sendable () -> Noroshi? = { nil }
    }

    /// A message that waits for its showing.
    private struct Waiting {
        var message: InAppMessage
        /// The user who was there when it was asked for.
        var user: String?
        /// Whether its trigger has asked for it, so that its rules apply; the app may show its own
        /// messages as it likes.
        var isTriggered: Bool
    }

    /// The condition under which the server's messages are those of the user.
    private enum Owed: Equatable {
        case nothing
        /// The server has acknowledged this record: before, it may know another user on this
        /// device.
        case receipt(of: UUID)
        /// The server has responded at all.
        case answer
    }

    /// Maximum number of waiting messages.
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

    /// Sets the SDK that performs the calls of a message's page.
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

    /// Shows messages with `presenter`, and keeps it, until the surrounding task is cancelled. Then
    /// the presenter before is asked again, and a message that the user has not seen yet waits.
    @MainActor
    package func show(with presenter: some NoroshiInAppMessagePresenter) async {
        let previous = { [weak presenter = self.presenter] in presenter }
        self.presenter = presenter
        await untilCancelled()
        if self.presenter === presenter { self.presenter = previous() }
        let (visible, isUnseen) = state.withLock { state in
            (state.visibleIn === presenter ? state.visible : nil, state.unseen != nil)
        }
        guard let visible else { return }
        presenter.dismiss()
        if isUnseen { visible.postpone() } else { visible.close() }
    }

    /// Decides about messages that are due. Not retained.
    public var delegate: (any NoroshiInAppMessageDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The message on the screen.
    public var visibleMessage: InAppMessage? { state.withLock { $0.visible?.message } }

    /// Number of waiting messages.
    public var waitingCount: Int { state.withLock { $0.stack.count } }

    /// Fetches the user's messages; the SDK does this at the start of every session.
    public func refresh(with noroshi: Noroshi) async {
        // Before any wait: the server does not know a user who logs in meanwhile until the next
        // flush, and that user's session fetches messages itself.
        let resets = state.withLock { $0.resets }
        let user = noroshi.user.id
        // If the id cannot be read, the next session fetches the messages again.
        let newest = try? recorder.store.newestWaiting()
        // The server renders messages for the user it knows on this device.
        if recorder.configuration.api.requestPolicy == .automatic { await noroshi.flush() }
        let isReported = newest.flatMap { try? recorder.store.isWaiting($0) } != true
        let isCurrent = state.withLock { state in
            guard state.resets == resets else { return false }
            // While sending is paused, or controlled by the app, the server may not know the user
            // yet, and its messages contain no personal data.
            state.owed = newest.map { isReported ? .nothing : .receipt(of: $0) } ?? .nothing
            return true
        }
        guard isCurrent else { return }
        do {
            var query = ["device": noroshi.deviceId ?? ""]
            query["user"] = user
            let data = try await noroshi.fetch("sdk/v1/in_app_messages", query: query)
            let messages = try JSONDecoder().decode(SDKInAppMessages.self, from: data).messages
            // Messages rendered for one user must not be shown to the next one.
            change(unlessResetSince: resets) { $0.replace(with: messages) }
        } catch {
            // Keep using the messages of the last successful fetch.
            recorder.logger.log(.info, "in-app messages could not be fetched: \(error)")
            state.withLock { state in
                if state.resets == resets, state.owed == .nothing { state.owed = .answer }
            }
        }
        // The response may have arrived between the two checks.
        await serverHasAnswered(of: noroshi)
    }

    /// Fetches the messages again once the server knows the user.
    ///
    /// - Parameter isForRecords: Whether the server has acknowledged records.
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

    /// Replaces the messages with a list like the server's.
    public func replace(with messages: [InAppMessage]) {
        change { $0.replace(with: messages) }
    }

    /// Shows a message that the app has created, under the same display rules; nothing is recorded
    /// automatically.
    public func present(_ message: InAppMessage) {
        let user = recorder.state?.externalID
        state.withLock {
            Self.push(Waiting(message: message, user: user, isTriggered: false), to: &$0)
        }
        Task { await presentNext() }
    }

    /// Shows the newest waiting message, if the app is in the foreground and no message is visible.
    @MainActor
    public func presentNext() async {
        guard await platform.isActive() else { return }
        let user = recorder.state?.externalID
        var refused: Set<String> = []
        while true {
            let next = state.withLock { state -> Waiting? in
                guard state.visible == nil, state.presenter != nil else { return nil }
                // It stays in the stack until the decision, so that nobody asks for it twice.
                return state.stack.last { !refused.contains($0.message.id) }
            }
            guard let next else { return }
            let now = recorder.dependencies.now()
            let isDue = state.withLock {
                !next.isTriggered || $0.selector.isAllowed(next.message, at: now)
            }
            // Drop messages that the previous user triggered: they may contain that user's data.
            guard next.user == user, isDue else {
                take(next)
                continue
            }
            switch delegate?.displayChoice(for: next.message) ?? .display {
            case .discard: take(next)
            case .later: refused.insert(next.message.id)
            case .display:
                show(next)
                return
            }
        }
    }

    /// Removes a message from the stack.
    private func take(_ waiting: Waiting) {
        state.withLock { $0.stack.removeAll { $0.message.id == waiting.message.id } }
    }

    @MainActor
    private func show(_ waiting: Waiting) {
        let message = waiting.message
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
                    state.withLock { if $0.unseen == message.id { $0.unseen = nil } }
                },
                closed: { [weak self] in
                    self?.state.withLock { state in
                        state.visible = nil
                        state.unseen = nil
                    }
                    Task { await self?.presentNext() }
                },
                postponed: { [weak self] in self?.postpone(waiting) }
            )
        )
        if message.kind == .control {
            // Control group: record the impression without presenting anything.
            context.logImpression()
            take(waiting)
            return
        }
        let presenter = state.withLock { state -> (any NoroshiInAppMessagePresenter)? in
            // A change of user may have taken it away meanwhile.
            let id = message.id
            guard let place = state.stack.lastIndex(where: { $0.message.id == id }) else {
                return nil
            }
            state.stack.remove(at: place)
            state.visible = context
            state.visibleIn = state.presenter
            state.unseen = id
            return state.presenter
        }
        presenter?.present(context)
    }

    /// Puts back a message for which there was no screen, and retries after a second while the app
    /// is in the foreground: at a cold start the session begins before the first window exists.
    private func postpone(_ waiting: Waiting) {
        state.withLock { state in
            state.visible = nil
            state.unseen = nil
            state.stack.append(waiting)
        }
        Task {
            // The wait is not cancelled; an injected wait that throws counts as finished.
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
            // The wait is not cancelled; an injected wait that throws counts as finished.
            if delay > 0 { try? await recorder.dependencies.sleep(delay) }
            let time = recorder.dependencies.now()
            let isPushed = state.withLock { state in
                // Another message may have been shown meanwhile. One that is on its way to the
                // user already, and so not counted yet, is not asked for twice.
                guard
                    state.selector.mayShow(message, at: time, gap: gap),
                    state.unseen != message.id
                else { return false }
                Self.push(Waiting(message: message, user: user, isTriggered: true), to: &state)
                return true
            }
            if isPushed { await presentNext() }
        }
    }

    /// Removes all messages, as after a change of user: they were made for the previous one.
    /// Showings are kept.
    func reset() {
        state.withLock { state in
            state.resets += 1
            state.owed = .nothing
            state.sessionStartWaits = false
        }
        change { $0.messages = [] }
        let presenter = state.withLock { state in
            state.stack = []
            state.unseen = nil
            defer { state.visible = nil }
            state.visible?.abandon()
            return state.visible == nil ? nil : state.presenter
        }
        if let presenter { Task { @MainActor in presenter.dismiss() } }
    }

    private static func push(_ waiting: Waiting, to state: inout State) {
        let id = waiting.message.id
        guard !state.stack.contains(where: { $0.message.id == id }) else { return }
        state.stack.append(waiting)
        if state.stack.count > stackLimit { state.stack.removeFirst() }
    }

    // MARK: - Keeping

    private func loadIfNeeded() {
        let isLoaded = state.withLock { state in
            defer { state.isLoaded = true }
            return state.isLoaded
        }
        guard !isLoaded, let data = recorder.store.readFile("in-app-messages.json") else { return }
        // Ignore a file written by another version; the next refresh downloads its contents again.
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
