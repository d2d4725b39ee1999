import Foundation
import Synchronization

/// Keeps a player between the stretches of time that it plays.
final class RehearsalSeat: Sendable {
    private let player: Mutex<RehearsalPlayer?>

    init(_ player: RehearsalPlayer) { self.player = Mutex(player) }

    var resting: RehearsalPlayer? { player.withLock { $0 } }

    func play(until end: Date) async throws {
        // Taken out, since what two hold would be copied by whoever changes it.
        let taken = player.withLock { player in
            defer { player = nil }
            return player
        }
        guard var current = taken else { return }
        try await current.play(until: end)
        player.withLock { [current] in $0 = current }
    }
}
