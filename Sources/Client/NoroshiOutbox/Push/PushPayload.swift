import Foundation
import NoroshiWire

/// Noroshi's part of a push payload, from APNs or FCM.
package struct PushPayload: Sendable, Equatable {
    /// The file that a service extension attaches.
    package struct Attachment: Sendable, Equatable {
        package var url: URL
        /// A file extension such as `png`, or a MIME type.
        package var type: String?

        package init(url: URL, type: String?) {
            self.url = url
            self.type = type
        }
    }

    /// A page of a push story.
    package struct StoryPage: Sendable, Equatable {
        package var image: URL?
        package var title: String
        package var subtitle: String
        package var uri: URL?
    }

    package var dispatch: UUID
    package var pushNumber: Int64?
    package var uri: URL?
    package var useWebView: Bool
    package var actionURIs: [String: URL]
    package var attachment: Attachment?
    /// The pages of a push story; empty for an ordinary push.
    package var story: [StoryPage]
    /// The app's own key-value pairs and the reserved strings at the root, without `aps`.
    package var values: [String: JSONValue]
    /// Apple's part.
    package var aps: JSONValue?

    /// The payload; `nil` unless it has Noroshi's marker with a dispatch id.
    package init?(userInfo: [AnyHashable: Any]) {
        guard let markerValue = userInfo[PushPayloadKey.marker],
            let marker = Self.marker(markerValue)
        else { return nil }
        var values: [String: JSONValue] = [:]
        for case (let key, let value) in userInfo where key != "aps" as AnyHashable {
            guard let name = key as? String, name != PushPayloadKey.marker else { continue }
            values[name] = JSONValue(any: value)
        }
        self.init(marker: marker, values: values, aps: JSONValue(any: userInfo["aps"] as Any?))
    }

    /// The payload of an FCM data message; `nil` unless it is Noroshi's.
    package init?(data: [String: String]) {
        self.init(userInfo: data)
    }

    private init?(marker: [String: JSONValue], values: [String: JSONValue], aps: JSONValue?) {
        guard
            let text = marker[PushPayloadKey.dispatchID]?.stringValue,
            let dispatch = UUID(uuidString: text)
        else { return nil }
        self.dispatch = dispatch
        pushNumber = Self.integer(values[PushPayloadKey.pushNumber])
        uri = Self.url(marker[PushPayloadKey.uri])
        useWebView = marker[PushPayloadKey.useWebView]?.boolValue ?? false
        actionURIs = (marker[PushPayloadKey.actionURIs]?.objectValue ?? [:])
            .compactMapValues(Self.url)
        if let url = Self.url(marker[PushPayloadKey.attachment]?["url"]) {
            attachment = Attachment(
                url: url,
                type: marker[PushPayloadKey.attachment]?["type"]?.stringValue
            )
        }
        story = (marker[PushPayloadKey.story]?.arrayValue ?? [])
            .prefix(SDKRecord.PushInteraction.pages.upperBound)
            .map { page in
                StoryPage(
                    image: Self.url(page["image"]),
                    title: page["title"]?.stringValue ?? "",
                    subtitle: page["subtitle"]?.stringValue ?? "",
                    uri: Self.url(page["uri"])
                )
            }
        self.values = values
        self.aps = aps
    }

    /// Where a tap on the notification leads: on a page of its story, or on itself.
    package func address(onPage page: Int?) -> URL? {
        guard let page, story.indices.contains(page - 1) else { return uri }
        return story[page - 1].uri ?? uri
    }

    /// Whether the push wakes the app without showing anything.
    package var isSilent: Bool {
        aps?["content-available"]?.integerValue == 1 && aps?["alert"] == nil
    }

    /// The marker as an object; FCM carries it as JSON text.
    private static func marker(_ value: Any) -> [String: JSONValue]? {
        if let text = value as? String {
            // Text that is not a JSON object belongs to another provider.
            return try? JSONDecoder().decode([String: JSONValue].self, from: Data(text.utf8))
        }
        return JSONValue(any: value)?.objectValue
    }

    private static func integer(_ value: JSONValue?) -> Int64? {
        value?.integerValue ?? value?.stringValue.flatMap { Int64($0) }
    }

    private static func url(_ value: JSONValue?) -> URL? {
        value?.stringValue.flatMap { $0.isEmpty ? nil : URL(string: $0) }
    }
}
