import Foundation
import NoroshiWire

/// The push of a step.
package struct JourneyPush: Sendable, Hashable, Codable {
    /// One to eight; each person always gets the same one.
    package var variants: [CampaignVariant]
    /// The percentage of people who get no message here and are compared with the others.
    package var controlShare: Int

    package init(variants: [CampaignVariant], controlShare: Int = 0) {
        self.variants = variants
        self.controlShare = controlShare
    }
}

/// The in-app message of a step.
package struct JourneyInAppMessage: Sendable, Hashable, Codable {
    /// An active in-app message of the workspace. While a version of a journey in use names it, only
    /// people who have come to such a step get it.
    package var message: UUID
    /// How long the person's devices may show it, in seconds.
    package var duration: TimeInterval

    package init(message: UUID, duration: TimeInterval = 7 * 86_400) {
        self.message = message
        self.duration = duration
    }
}

/// Changes of the person's own data.
package struct JourneyUpdate: Sendable, Hashable, Codable {
    /// As in `/users/track`: values, `null` to remove, `{"add": […]}`, `{"inc": 1}`, subscription
    /// states (`push_subscribe`) and groups (`subscription_groups`).
    package var attributes: [String: JSONValue]
    /// Uploaded lists that the person is added to.
    package var addToLists: [UserListID]
    package var removeFromLists: [UserListID]

    package init(
        attributes: [String: JSONValue] = [:],
        addToLists: [UserListID] = [],
        removeFromLists: [UserListID] = []
    ) {
        self.attributes = attributes
        self.addToLists = addToLists
        self.removeFromLists = removeFromLists
    }
}

/// A call to another server, signed with the workspace's secret.
package struct JourneyWebhook: Sendable, Hashable, Codable {
    package enum Method: String, Sendable, Hashable, Codable, CaseIterable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        case get = "GET"
    }

    package var method: Method
    /// Liquid, as the values of the headers and the body.
    package var url: String
    package var headers: [String: String]
    package var body: String

    package init(
        method: Method = .post,
        url: String,
        headers: [String: String] = [:],
        body: String = ""
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
