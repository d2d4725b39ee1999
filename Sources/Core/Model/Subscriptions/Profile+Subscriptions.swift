import Foundation
import NoroshiWire

extension Profile {
    /// The state in each subscription group that the user ever joined or left.
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

    /// The value of `subscription_groups` with `changes` made to `stored`: what is not named stays.
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

    /// When somebody agreed or disagreed to a channel, by the attribute that says which of it.
    static let consentTimes: [StandardAttribute: [StandardAttribute]] = [
        .pushSubscription: [.pushOptedInAt, .pushUnsubscribedAt],
        .emailSubscription: [.emailOptedInAt, .emailUnsubscribedAt],
    ]

    /// Notes when the user agreed or disagreed to a channel, where `before` said otherwise.
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
