import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// A change of session.
public enum NoroshiSessionUpdate: Sendable, Equatable {
    /// A session has begun.
    case started(id: UUID)
    /// A session has ended.
    case ended(id: UUID)
}

/// Opens and closes sessions: periods in the foreground, where an absence shorter than the timeout
/// does not end a session.
final class SessionTracker: Sendable {
    private let recorder: Recorder
    let updates = Broadcast<NoroshiSessionUpdate>()
    /// Whether this process has moved the session to the foreground and not back.
    private let isInForeground = Locked(false)
    /// Called after a session has begun, outside of the container's lock.
    let onStart = Locked<(@Sendable () -> Void)?>(nil)

    init(recorder: Recorder) {
        self.recorder = recorder
    }

    func enterForeground() {
        let now = recorder.dependencies.now()
        let timeout = max(1, recorder.configuration.sessionTimeout)
        let result = recorder.transaction { access -> [NoroshiSessionUpdate] in
            var updates: [NoroshiSessionUpdate] = []
            // The system may report the same change twice, for example to an SDK that is created
            // late.
            if access.state.session?.foregroundSince != nil, isInForeground.withLock({ $0 }) {
                return []
            }
            if var session = access.state.session {
                // A session that was never closed ended with the death of the process.
                if now.timeIntervalSince(session.lastActive) <= timeout {
                    session.foregroundSince = now
                    session.lastActive = now
                    access.state.session = session
                    return []
                }
                updates += try end(&access, at: session.lastActive)
            }
            return updates + [try start(&access, at: now)]
        }
        guard case .success(let updates) = result else { return }
        isInForeground.withLock { $0 = true }
        announce(updates)
    }

    func enterBackground() {
        isInForeground.withLock { $0 = false }
        let now = recorder.dependencies.now()
        _ = recorder.perform { access in
            guard var session = access.state.session, let since = session.foregroundSince else {
                return
            }
            session.activeSeconds += max(0, now.timeIntervalSince(since))
            session.foregroundSince = nil
            session.lastActive = now
            access.state.session = session
        }
    }

    /// Publishes the changes outside of the container's lock, because subscribers may call the SDK.
    func announce(_ happened: [NoroshiSessionUpdate]) {
        for update in happened {
            updates.send(update)
            if case .started = update { onStart.withLock { $0 }?() }
        }
    }

    /// Opens a session for the current user.
    func start(
        _ access: inout InstallationStore.Access,
        at time: Date
    ) throws -> NoroshiSessionUpdate {
        let session = InstallationState.Session(
            id: recorder.dependencies.makeID(),
            start: time,
            user: access.state.user
        )
        access.state.session = session
        try access.append(.sessionStarted, id: recorder.dependencies.makeID(), time: time)
        return .started(id: session.id)
    }

    /// Closes the open session, if there is one, for the user to whom it belongs.
    func end(
        _ access: inout InstallationStore.Access,
        at time: Date
    ) throws -> [NoroshiSessionUpdate] {
        guard let session = access.state.session else { return [] }
        var duration = session.activeSeconds
        if let since = session.foregroundSince {
            duration += max(0, time.timeIntervalSince(since))
        }
        try access.append(
            .sessionEnded(duration: duration),
            id: recorder.dependencies.makeID(),
            time: time,
            user: session.user
        )
        access.state.session = nil
        return [.ended(id: session.id)]
    }
}
