import Foundation
import Liquid
import Model
import NoroshiWire

/// The variables of a preference page: those of messages, the state in each subscription group, and
/// the target of the form.
struct PreferenceVariables: LiquidVariables {
    private let profile: Profile
    private let variables: ProfileVariables
    private let groups: [UUID: SubscriptionState]
    private let submitURL: String

    init(profile: Profile, submitURL: String) {
        self.profile = profile
        self.submitURL = submitURL
        variables = ProfileVariables(profile: profile)
        groups = profile.subscriptionGroups
    }

    func value(named name: LiquidName) -> LiquidValue? {
        name.text == "preference_center_submit_url"
            ? .string(submitURL) : variables.value(named: name)
    }

    func attribute(named name: LiquidName) -> LiquidValue? { variables.attribute(named: name) }

    func member(named name: LiquidName, of group: LiquidName) -> LiquidValue? {
        guard group.text == "subscribed_state" else {
            return variables.member(named: name, of: group)
        }
        guard name.text != "email_global" else {
            return .string(profile.standard[.emailSubscription]?.stringValue ?? "subscribed")
        }
        guard let id = UUID(uuidString: name.text) else { return nil }
        return .string(groups[id] == .subscribed ? "subscribed" : "unsubscribed")
    }
}
