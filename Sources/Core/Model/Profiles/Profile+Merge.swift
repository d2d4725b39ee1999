import Foundation

extension Profile {
    /// Takes over values of another profile that this one lacks: own values take precedence,
    /// sessions are added up, and the earliest first and the latest last time are kept. Each
    /// subscription group is a separate value, and the time of a consent is kept with the consent.
    package mutating func absorb(_ other: Profile) {
        let own = standard
        standard.merge(other.standard) { own, _ in own }
        if let groups = own[.subscriptionGroups] {
            standard[.subscriptionGroups] = Self.merged(
                subscriptionGroups: other.standard[.subscriptionGroups],
                with: groups
            )
        }
        for (consent, times) in Self.consentTimes where own[consent] != nil {
            for time in times { standard[time] = own[time] }
        }
        custom.merge(other.custom) { own, _ in own }
        sessionCount += other.sessionCount
        firstSessionAt = [firstSessionAt, other.firstSessionAt].compactMap(\.self).min()
        lastSessionAt = [lastSessionAt, other.lastSessionAt].compactMap(\.self).max()
        createdAt = min(createdAt, other.createdAt)
        anonymousID = anonymousID ?? other.anonymousID
        externalID = externalID ?? other.externalID
    }
}
