import Foundation
import Model
import Phones
import Ports
import Rehearsals
import Scheduling

/// Plays the coming week for people who are signed in on virtual phones.
package struct PhoneWeeks: Sendable {
    private static let days = 7

    private let store: any Store
    private let workspace: WorkspaceID
    private let rehearsals: RehearsalService
    private let now: @Sendable () -> Date

    package init(
        store: any Store,
        workspace: WorkspaceID,
        rehearsals: RehearsalService,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.workspace = workspace
        self.rehearsals = rehearsals
        self.now = now
    }

    /// - Returns: Why it cannot be played.
    func play(for user: String?) async -> PhoneWeek.Failure? {
        do {
            guard let profile = try await profile(user) else { return .nobody }
            try await rehearsals.begin(
                RehearsalOrder(
                    .person,
                    profile.publicID,
                    name: user ?? "",
                    in: workspace,
                    from: now(),
                    days: Self.days,
                    seed: 1
                ),
                by: .commandLine(account: "phone", workspace)
            )
            return nil
        } catch let refusal as RefusalError where refusal.code == .rehearsalBusy {
            return .busy
        } catch is RefusalError {
            return .tooLarge
        } catch {
            return .broken
        }
    }

    func week(of user: String) async -> PhoneWeek {
        do {
            return PhoneWeek(
                user: user,
                zone: try await store.timeZone(of: workspace),
                state: try await state(of: user)
            )
        } catch {
            return PhoneWeek(user: user, zone: .gmt, state: .failed(.broken))
        }
    }

    private func state(of user: String) async throws -> PhoneWeek.State {
        guard let profile = try await profile(user),
            let last = try await rehearsals.rehearsal(of: profile.publicID, in: workspace)
        else { return .failed(.nobody) }
        switch last.state {
        case .playing: return .playing(last.share)
        case .failed(.tooLong): return .failed(.tooLarge)
        case .failed: return .failed(.broken)
        case .done:
            return .done(
                last.rows.filter { $0.outcome == .sent }.map { row in
                    PhoneWeek.Message(
                        time: row.time,
                        source: row.source.name,
                        isInApp: row.source.kind == .inApp,
                        title: row.title,
                        body: row.body
                    )
                }
            )
        }
    }

    private func profile(_ user: String?) async throws -> Profile? {
        guard let user else { return nil }
        return try await store.profile(.external(user), in: workspace)
    }
}
