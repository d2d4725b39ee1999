import Foundation
import NoroshiWire

extension Profile {
    /// The state in each subscription group that the user has ever joined or left.
    package var subscriptionGroups: [UUID: SubscriptionState] {
        var states: [UUID: SubscriptionState] = [:]
        for group in standard[.subscriptionGroups]?.arrayValue ?? [] {
            guard let id = group["subscription_group_id"]?.stringValue.flatMap(UUID.init),
                let state = group["subscription_state"]?.stringValue
                    .flatMap(SubscriptionState.init)
            else { continue }
            states[id] = state
        }
        return states
    }

    /// The value of `subscription_groups` after `changes` to `stored`; groups that are not named
    /// are unchanged.
    static func merged(
        subscriptionGroups stored: JSONValue?,
        with changes: JSONValue
    ) -> JSONValue {
        let changed = changes.arrayValue ?? []
        let named = Set(changed.compactMap { $0["subscription_group_id"]?.stringValue })
        let kept = (stored?.arrayValue ?? []).filter {
            $0["subscription_group_id"]?.stringValue.map(named.contains) != true
        }
        return .array(kept + changed)
    }

    /// The attributes that record the times of consent to a channel, by the attribute of the
    /// consent.
    static let consentTimes: [StandardAttribute: [StandardAttribute]] = [
        .pushSubscription: [.pushOptedInAt, .pushUnsubscribedAt],
        .emailSubscription: [.emailOptedInAt, .emailUnsubscribedAt],
    ]

    /// Records the time of a consent that differs from `before`.
    mutating func noteSubscriptions(since before: Profile, at time: Date) {
        for (attribute, optedIn, unsubscribed) in [
            (
                StandardAttribute.pushSubscription, StandardAttribute.pushOptedInAt,
                StandardAttribute.pushUnsubscribedAt
            ),
            (.emailSubscription, .emailOptedInAt, .emailUnsubscribedAt),
        ] where standard[attribute] != before.standard[attribute] {
            let stamp = JSONValue.string(Timestamp.format(time))
            switch standard[attribute]?.stringValue.flatMap(SubscriptionState.init) {
            case .optedIn: standard[optedIn] = stamp
            case .unsubscribed: standard[unsubscribed] = stamp
            case .subscribed, nil: break
            }
        }
    }
}
