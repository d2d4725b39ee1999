import Campaigns
import Foundation
import Model
import NoroshiWire

/// A campaign in the terms of the REST API.
struct CampaignResponse {
    private let campaign: Campaign

    init(_ campaign: Campaign) {
        self.campaign = campaign
    }

    private var content: CampaignContent { campaign.content }
    private var tags: JSONValue { .array(content.tags.map(JSONValue.string)) }

    var summary: JSONValue {
        [
            "id": .string(campaign.apiID.uuidString.lowercased()),
            "last_edited": .string(Timestamp.format(campaign.updatedAt)),
            "name": .string(content.name),
            "is_api_campaign": .bool(content.delivery == .apiTriggered),
            "tags": tags,
        ]
    }

    var details: [String: JSONValue] {
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        var messages: [String: JSONValue] = [:]
        for variant in content.variants {
            messages[variant.apiID.uuidString.lowercased()] = message(variant)
        }
        if content.controlShare > 0 {
            messages["control"] = ["channel": "push", "type": "control"]
        }
        return [
            "message": "success",
            "created_at": time(campaign.createdAt), "updated_at": time(campaign.updatedAt),
            "archived": .bool(campaign.state == .archived),
            "draft": .bool(campaign.state == .draft),
            "enabled": .bool(campaign.state == .active),
            "has_post_launch_draft": false,
            "name": .string(content.name), "description": .string(content.note),
            "schedule_type": .string(scheduleType),
            "channels": .array(MessagePlatform.allCases.map { .string($0.channel) }),
            "first_sent": time(campaign.firstSentAt), "last_sent": time(campaign.lastSentAt),
            "tags": tags, "teams": [], "messages": .object(messages),
            "conversion_behaviors": .array(content.conversions.map(behaviour)),
        ]
    }

    private var scheduleType: String {
        switch content.delivery {
        case .immediately: "time_based_absolute"
        case .scheduled(let schedule):
            schedule.recurrence == nil ? "time_based_absolute" : "time_based_recurring"
        case .actionBased: "action_based"
        case .apiTriggered: "api_triggered"
        }
    }

    /// A variant has one message for all platforms; platforms with a separate one list it in
    /// addition.
    private func message(_ variant: CampaignVariant) -> JSONValue {
        var object = texts(variant.message.common.message)
        object["channel"] = "push"
        object["name"] = .string(variant.name)
        for (platform, own) in [
            (MessagePlatform.ios, variant.message.ios), (.android, variant.message.android),
            (.web, variant.message.web),
        ] {
            if let own { object[platform.channel] = .object(texts(own.message)) }
        }
        return .object(object)
    }

    private func texts(_ message: PushMessage) -> [String: JSONValue] {
        var texts: [String: JSONValue] = [
            "alert": .string(message.body), "title": .string(message.title),
            "action": message.uri.map(JSONValue.string) ?? .null,
            "image_url": (message.attachment?.url).map(JSONValue.string) ?? .null,
            "extras": .object(message.keyValuePairs.mapValues(JSONValue.string)),
        ]
        if let translations = message.translations {
            texts["translations"] = .object(
                translations.mapValues { texts in
                    [
                        "title": .string(texts.title), "subtitle": .string(texts.subtitle),
                        "body": .string(texts.body),
                    ]
                }
            )
        }
        if let story = message.story {
            texts["push_story"] = .array(
                story.map { page in
                    [
                        "image_url": .string(page.image), "title": .string(page.title),
                        "subtitle": .string(page.subtitle),
                        "uri": page.uri.map(JSONValue.string) ?? .null,
                    ]
                }
            )
        }
        return texts
    }

    private func behaviour(_ conversion: ConversionEvent) -> JSONValue {
        var object: [String: JSONValue] = ["window": .integer(Int64(conversion.window))]
        switch conversion.event.kind {
        case .custom(let name):
            object["type"] = "Performs Custom Event"
            object["custom_event_name"] = .string(name)
        case .purchase(nil):
            object["type"] = "Makes Any Purchase"
        case .purchase(let product?):
            object["type"] = "Makes Specific Purchase"
            object["product"] = .string(product)
        case .sessionStart:
            object["type"] = "Starts Session"
            object["app_ids"] = .null
        }
        return .object(object)
    }

    /// One day of a series.
    ///
    /// - Parameter records: All current and former texts of the campaign.
    func row(_ day: CampaignDay, _ records: [CampaignVariantRecord]) -> JSONValue {
        var row: [String: JSONValue] = [
            "time": .string(day.day.description),
            "unique_recipients": .integer(Int64(day.uniqueRecipients)),
            "revenue": .number(day.revenue),
            "messages": .object(messages(day, records)),
        ]
        for index in 0..<max(1, content.conversions.count) {
            let suffix = index == 0 ? "" : String(index)
            row["conversions\(suffix)"] = .integer(
                Int64(day.conversions.indices.contains(index) ? day.conversions[index] : 0)
            )
            row["conversions\(suffix)_by_send_time"] = .integer(
                Int64(
                    day.conversionsBySendTime.indices.contains(index)
                        ? day.conversionsBySendTime[index] : 0
                )
            )
        }
        return .object(row)
    }

    /// A variant has one row whatever texts it has had, even if it was removed meanwhile.
    private func messages(
        _ day: CampaignDay,
        _ records: [CampaignVariantRecord]
    ) -> [String: JSONValue] {
        struct Key: Hashable {
            var platform: MessagePlatform
            var variant: UUID
        }
        let variants = Dictionary(
            records.map { ($0.number, $0.apiID) },
            uniquingKeysWith: { first, _ in first }
        )
        let names = Dictionary(records.map { ($0.apiID, $0.name) }, uniquingKeysWith: { $1 })
        var sums: [Key: VariantCounts] = [:]
        var order: [Key] = []
        for figures in day.variants {
            guard let variant = variants[figures.variant] else { continue }
            let key = Key(platform: figures.platform, variant: variant)
            guard var sum = sums[key] else {
                sums[key] = figures
                order.append(key)
                continue
            }
            sum.add(figures)
            sums[key] = sum
        }
        var channels: [String: [JSONValue]] = [:]
        for key in order {
            guard let figures = sums[key] else { continue }
            var channel: [String: JSONValue] = [
                "variation_api_id": .string(key.variant.uuidString.lowercased()),
                "variation_name": .string(names[key.variant] ?? ""),
                "sent": .integer(Int64(figures.sent)),
                "direct_opens": .integer(Int64(figures.directOpens)),
                "total_opens": .integer(Int64(figures.totalOpens)),
                "bounces": .integer(Int64(figures.bounces)),
                "received": .integer(Int64(figures.received)),
            ]
            if !figures.storyOpens.isEmpty {
                let opens = figures.storyOpens.map { JSONValue.integer(Int64($0)) }
                channel["story_page_opens"] = .array(opens)
            }
            channels[key.platform.channel, default: []].append(.object(channel))
        }
        return channels.mapValues(JSONValue.array)
    }
}

extension MessagePlatform {
    /// The name of the channel in counts.
    var channel: String { "\(rawValue)_push" }
}
