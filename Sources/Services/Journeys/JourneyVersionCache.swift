import Model
import Ports
import Synchronization

/// A running journey with the definitions of the versions in which people are.
struct LiveJourney: Sendable {
    var running: RunningJourney
    var versions: [Int: JourneyDefinition]

    /// What people enter.
    var current: JourneyDefinition? { versions[running.version] }
}

/// Published versions, which never change: each is read and parsed once.
final class JourneyVersionCache: Sendable {
    private struct Key: Hashable {
        var journey: JourneyID
        var version: Int
    }

    private let store: any Store
    private let known = Mutex<[Key: JourneyDefinition]>([:])

    init(store: any Store) { self.store = store }

    func live(_ journeys: [RunningJourney]) async throws -> [LiveJourney] {
        var live: [LiveJourney] = []
        var used: Set<Key> = []
        for journey in journeys {
            var versions: [Int: JourneyDefinition] = [:]
            for number in journey.versions {
                let key = Key(journey: journey.id, version: number)
                used.insert(key)
                versions[number] = try await definition(key)
            }
            live.append(LiveJourney(running: journey, versions: versions))
        }
        // Versions in which nobody is any more are forgotten.
        known.withLock { known in known = known.filter { used.contains($0.key) } }
        return live
    }

    private func definition(_ key: Key) async throws -> JourneyDefinition? {
        if let found = known.withLock({ $0[key] }) { return found }
        let version = try await store.journeyVersion(key.version, of: key.journey)
        known.withLock { $0[key] = version?.definition }
        return version?.definition
    }
}
