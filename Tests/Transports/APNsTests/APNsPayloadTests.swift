import APNs
import Foundation
import Model
import Ports
import Testing

@Suite("A message becomes Apple's payload")
struct APNsPayloadTests {
    private func payload(
        _ change: (inout PushMessage) -> Void
    ) throws -> (object: [String: Any], aps: [String: Any]) {
        var message = PushMessage(title: "Title", body: "Body")
        change(&message)
        let push = OutgoingPush(
            dispatch: DispatchID(
                try #require(UUID(uuidString: "6F1D7C1A-0000-4000-8000-00000000000A"))
            ),
            sendID: SendID(7),
            address: .apns(token: "ab", topic: "a.b", environment: .sandbox),
            registeredAt: .distantPast,
            message: message,
            options: DeliveryOptions()
        )
        let json = try JSONSerialization.jsonObject(with: Data(APNsPayload.encode(push)))
        let object = try #require(json as? [String: Any])
        return (object, try #require(object["aps"] as? [String: Any]))
    }

    @Test("texts, badge, sound, category, thread and level stand in aps")
    func visible() throws {
        let (_, aps) = try payload { message in
            message.subtitle = "Sub"
            message.badge = .set(0)
            message.sound = "default"
            message.category = "OFFER"
            message.threadID = "t"
            message.interruptionLevel = .timeSensitive
            message.relevanceScore = 0.5
        }
        let alert = try #require(aps["alert"] as? [String: String])
        #expect(alert == ["title": "Title", "subtitle": "Sub", "body": "Body"])
        #expect(aps["badge"] as? Int == 0)
        #expect(aps["sound"] as? String == "default")
        #expect(aps["category"] as? String == "OFFER")
        #expect(aps["thread-id"] as? String == "t")
        #expect(aps["interruption-level"] as? String == "time-sensitive")
        #expect(aps["relevance-score"] as? Double == 0.5)
        #expect(aps["mutable-content"] == nil)
    }

    @Test("an unchanged badge leaves the key out")
    func unchangedBadge() throws {
        let (_, aps) = try payload { _ in }
        #expect(aps["badge"] == nil)
    }

    @Test("a silent push has nothing but content-available in aps")
    func silent() throws {
        let (object, aps) = try payload { message in
            message.isSilent = true
            message.badge = .set(3)
            message.sound = "default"
        }
        #expect(aps.count == 1)
        #expect(aps["content-available"] as? Int == 1)
        #expect(object["push_no"] as? String == "7")
    }

    @Test("an attachment runs the service extension")
    func attachment() throws {
        let (object, aps) = try payload { message in
            message.attachment = PushAttachment(url: "https://example.com/a.png", type: "png")
        }
        #expect(aps["mutable-content"] as? Int == 1)
        let marker = try #require(object["noroshi"] as? [String: Any])
        let attachment = try #require(marker["attachment"] as? [String: String])
        #expect(attachment == ["url": "https://example.com/a.png", "type": "png"])
    }

    @Test("a story carries its pages and runs both extensions; ten pages keep within the limit")
    func story() throws {
        let pages = (1...10).map { number in
            StoryPage(
                image: "https://pictures.example.com/autumn/\(number).jpg",
                title: "The tea of the week, number \(number)",
                subtitle: "From the hills of Uji, picked by hand",
                uri: "teahouse://tea/\(number)"
            )
        }
        let (object, aps) = try payload { message in
            message.story = pages
            message.title = "Ten teas"
        }
        #expect(aps["category"] as? String == "noroshi_story")
        #expect(aps["mutable-content"] as? Int == 1)
        let marker = try #require(object["noroshi"] as? [String: Any])
        let story = try #require(marker["story"] as? [[String: String]])
        #expect(story.count == 10)
        #expect(
            story[1] == [
                "image": "https://pictures.example.com/autumn/2.jpg",
                "title": "The tea of the week, number 2",
                "subtitle": "From the hills of Uji, picked by hand", "uri": "teahouse://tea/2",
            ]
        )
        #expect(try JSONSerialization.data(withJSONObject: object).count < 4096)
        let (bare, _) = try payload { $0.story = [StoryPage(image: "https://example.com/a.png")] }
        let bareMarker = try #require(bare["noroshi"] as? [String: Any])
        let bareStory = bareMarker["story"] as? [[String: String]]
        #expect(bareStory == [["image": "https://example.com/a.png"]])
    }

    @Test("the marker carries the dispatch id in lower case and where taps lead")
    func marker() throws {
        let (object, _) = try payload { message in
            message.uri = "https://example.com/"
            message.useWebView = true
            message.buttons = [
                PushButton(actionID: "yes", title: "Yes", uri: "app://yes"),
                PushButton(actionID: "no", title: "No"),
            ]
        }
        let marker = try #require(object["noroshi"] as? [String: Any])
        #expect(marker["dispatch_id"] as? String == "6f1d7c1a-0000-4000-8000-00000000000a")
        #expect(marker["uri"] as? String == "https://example.com/")
        #expect(marker["use_webview"] as? Bool == true)
        #expect(marker["action_uris"] as? [String: String] == ["yes": "app://yes"])
        #expect(object["url"] as? String == "https://example.com/")
    }

    @Test("the app's pairs stand at the root, but cannot replace a reserved key")
    func keyValuePairs() throws {
        let (object, aps) = try payload { message in
            message.keyValuePairs = ["color": "red", "aps": "x", "push_no": "999"]
            message.customVariables = #"{"a":1}"#
            message.news = NewsReference(id: "12", tenantID: "3")
        }
        #expect(object["color"] as? String == "red")
        #expect(aps["alert"] != nil)
        #expect(object["push_no"] as? String == "7")
        #expect(object["custom_vars"] as? String == #"{"a":1}"#)
        #expect(object["news_id"] as? String == "12")
        #expect(object["news_tenant_id"] as? String == "3")
    }

    @Test("quotes, control characters and emoji survive")
    func escaping() throws {
        let text = "\"quoted\" \\ \u{0}\u{1f}\n\t\r🔥狼煙"
        let (_, aps) = try payload { $0.body = text }
        #expect((aps["alert"] as? [String: String])?["body"] == text)
    }
}
