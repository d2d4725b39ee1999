import Foundation
import Model
import NoroshiWire
import Segments
import Users

/// A user in the format of exports; unknown values are null or empty.
struct UserExport {
    /// Fields that this server never has: advertising, Canvases and Content Cards.
    private static let unknown: [String: JSONValue] = [
        "attributed_campaign": .null, "attributed_source": .null, "attributed_adgroup": .null,
        "attributed_ad": .null, "canvases_received": [], "cards_clicked": [],
        "uninstalled_at": .null,
    ]

    private let entry: UserArchive.Entry

    init(_ entry: UserArchive.Entry) {
        self.entry = entry
    }

    private var profile: Profile { entry.profile }
    private var record: UserRecord { entry.record }

    var json: [String: JSONValue] {
        var user = Self.unknown
        for attribute in Model.StandardAttribute.allCases { user[attribute.rawValue] = .null }
        user["current_location"] = nil
        user["last_coordinates"] = .null
        user["email_subscribe"] = "subscribed"
        user["subscription_groups"] = []
        for (attribute, value) in profile.standard {
            if attribute == .currentLocation, let longitude = value["longitude"],
                let latitude = value["latitude"]
            {
                user["last_coordinates"] = [longitude, latitude]
            } else {
                user[attribute.rawValue] = value
            }
        }
        if let time = profile.firstSessionAt {
            user["date_of_first_session"] = .string(Timestamp.format(time))
        }
        if let time = profile.lastSessionAt {
            user["date_of_last_session"] = .string(Timestamp.format(time))
        }
        return user.merging(identity) { $1 }.merging(activity) { $1 }
    }

    private var identity: [String: JSONValue] {
        [
            "created_at": .string(Timestamp.format(profile.createdAt)),
            "external_id": text(profile.externalID),
            "braze_id": .string(profile.publicID.uuidString.lowercased()),
            "random_bucket": .integer(Int64(RandomBucket.bucket(ofRow: profile.id.rawValue))),
            "user_aliases": .array(
                record.aliases.map {
                    ["alias_name": .string($0.name), "alias_label": .string($0.label)]
                }
            ),
            "push_subscribe": .string(profile.pushSubscription.rawValue),
            "custom_attributes": .object(profile.custom),
        ]
    }

    private var activity: [String: JSONValue] {
        [
            "custom_events": .array(record.events.map(Self.activity)),
            "purchases": .array(record.purchases.map(Self.activity)),
            "total_revenue": revenue,
            "campaigns_received": .array(entry.campaigns.map(campaign)),
            "devices": .array(record.devices.map(device)),
            "push_tokens": .array(record.devices.compactMap(pushToken)),
            "apps": .array(record.devices.map(app)),
            "session_count": .integer(Int64(profile.sessionCount)),
        ]
    }

    /// Amounts in several currencies are not added up.
    private var revenue: JSONValue {
        let totals = entry.spending?.totals ?? [:]
        guard totals.count <= 1 else { return .null }
        return .number(totals.values.first ?? 0)
    }

    private func campaign(_ receipt: CampaignExposureSummary) -> JSONValue {
        [
            "name": .string(receipt.name),
            "api_campaign_id": .string(receipt.campaign.uuidString.lowercased()),
            "last_received": .string(Timestamp.format(receipt.lastReceivedAt)),
            "engaged": ["opened_push": .bool(receipt.hasOpened)],
            "in_control": .bool(receipt.isControl),
            "variation_name": text(receipt.variantName),
            "variation_api_id": text(receipt.variant?.uuidString.lowercased()),
        ]
    }

    private static func activity(_ activity: UserRecord.Activity) -> JSONValue {
        [
            "name": .string(activity.name), "first": .string(Timestamp.format(activity.first)),
            "last": .string(Timestamp.format(activity.last)),
            "count": .integer(Int64(activity.count)),
        ]
    }

    private func device(_ device: Device) -> JSONValue {
        [
            "model": text(device.model), "os": text(device.osVersion),
            "device_id": .string(device.installation.uuidString.lowercased()),
            "platform": .string(device.platform), "locale": text(device.locale),
            "time_zone": text(device.timeZone), "carrier": .null, "idfv": .null, "idfa": .null,
            "google_ad_id": .null, "roku_ad_id": .null, "ad_tracking_enabled": .null,
        ]
    }

    private func pushToken(_ device: Device) -> JSONValue? {
        guard let push = device.push else { return nil }
        let isEnabled = [.authorized, .provisional, .ephemeral].contains(push.authorization)
        return [
            "app": text(entry.apps[device.app]?.name), "platform": .string(device.platform),
            "token": .string(push.token),
            "device_id": .string(device.installation.uuidString.lowercased()),
            "notifications_enabled": .bool(isEnabled),
        ]
    }

    /// Sessions are counted by user, not by app.
    private func app(_ device: Device) -> JSONValue {
        [
            "name": text(entry.apps[device.app]?.name), "platform": .string(device.platform),
            "version": text(device.appVersion), "sessions": .null, "first_used": .null,
            "last_used": .string(Timestamp.format(device.updatedAt)),
        ]
    }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
