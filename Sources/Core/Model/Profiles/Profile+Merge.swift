import Foundation

extension Profile {
    /// Takes over what another profile knows and this one does not: its own values win, sessions
    /// add up, the earliest first and the latest last time stay.
    package mutating func absorb(_ other: Profile) {
        standard.merge(other.standard) { own, _ in own }
        custom.merge(other.custom) { own, _ in own }
        sessionCount += other.sessionCount
        firstSessionAt = [firstSessionAt, other.firstSessionAt].compactMap(\.self).min()
        lastSessionAt = [lastSessionAt, other.lastSessionAt].compactMap(\.self).max()
        createdAt = min(createdAt, other.createdAt)
        anonymousID = anonymousID ?? other.anonymousID
        externalID = externalID ?? other.externalID
    }
}
