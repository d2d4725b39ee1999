import Foundation
import NoroshiOutbox
import NoroshiWire

/// What happens to sessions.
public enum NoroshiSessionUpdate: Sendable, Equatable {
    /// A session has begun.
    case started(id: UUID)
    /// A session has ended.
    case ended(id: UUID)
}

/// Opens and closes sessions: time in the foreground, where an absence shorter than the time-out
/// does not count as an end.
final class SessionKeeper: Sendable {
    private let recorder: Recorder
    let updates = Broadcast<NoroshiSessionUpdate>()

    init(recorder: Recorder) {
        self.recorder = recorder
    }

    func enterForeground() {
        let now = recorder.dependencies.now()
        let timeout = max(1, recorder.configuration.sessionTimeout)
        _ = recorder.transaction { access in
            if var session = access.state.session {
                // A session that was never closed ended with the death of the process.
                if now.timeIntervalSince(session.lastActive) <= timeout {
                    session.foregroundSince = now
                    session.lastActive = now
                    access.state.session = session
                    return
                }
                try end(&access, at: session.lastActive)
            }
            try start(&access, at: now)
        }
    }

    func enterBackground() {
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

    /// Opens a session for the current user.
    func start(_ access: inout InstallationStore.Access, at time: Date) throws {
        let session = InstallationState.Session(
            id: recorder.dependencies.makeID(),
            start: time,
            user: access.state.user
        )
        access.state.session = session
        try access.append(.sessionStarted, id: recorder.dependencies.makeID(), time: time)
        updates.send(.started(id: session.id))
    }

    /// Closes the open session, if there is one, in the name of the user it belongs to.
    func end(_ access: inout InstallationStore.Access, at time: Date) throws {
        guard let session = access.state.session else { return }
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
        updates.send(.ended(id: session.id))
    }
}
