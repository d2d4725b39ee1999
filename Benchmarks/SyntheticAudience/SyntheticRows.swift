import Segments

extension SyntheticAudience {
    /// A user in the segment language. Row ids start at 1.
    package func profile(_ number: Int) -> AudienceProfile {
        let user = user(number)
        var profile = AudienceProfile(
            rowID: Int64(number) + 1,
            sessionCount: user.sessionCount,
            custom: SyntheticAudience.custom(user.attributes),
            devices: user.devices.map {
                AudienceDevice(
                    platform: $0.platform,
                    app: "demo",
                    hasToken: true,
                    isPushEnabled: true
                )
            }
        )
        profile.externalID = user.externalID
        profile.firstName = user.firstName
        profile.lastName = user.lastName
        profile.email = user.email
        profile.gender = user.gender
        profile.dateOfBirth = Int64(user.birthDay) * 86_400
        profile.country = user.country
        profile.language = user.language
        profile.homeCity = user.city
        profile.timeZone = user.timeZone
        profile.createdAt = user.createdAt
        profile.lastSessionAt = user.lastSessionAt
        profile.pushSubscription = user.pushSubscribe
        profile.emailSubscription = user.emailSubscribe
        return profile
    }

    private static func custom(
        _ attributes: SyntheticUser.Attributes
    ) -> [String: AttributeValue] {
        var custom = [String: AttributeValue](minimumCapacity: 12)
        custom["plan"] = .string(attributes.plan)
        custom["app_version"] = .string(attributes.appVersion)
        custom["loyalty_points"] = .number(Double(attributes.loyaltyPoints))
        custom["balance"] = .number(Double(attributes.balance) / 100)
        custom["is_vip"] = .bool(attributes.isVIP)
        custom["interests"] = .array(attributes.interests.map(AttributeValue.string))
        custom["favorite_category"] = attributes.favoriteCategory.map(AttributeValue.string)
        custom["referral_code"] = attributes.referralCode.map(AttributeValue.string)
        custom["nps"] = attributes.nps.map { .number(Double($0)) }
        custom["has_app_rating"] = attributes.hasAppRating.map(AttributeValue.bool)
        custom["last_purchase_at"] = attributes.lastPurchaseAt.map(AttributeValue.time)
        custom["tags"] = attributes.tags.map { .array($0.map(AttributeValue.string)) }
        return custom
    }

    /// An event in the segment language.
    package func occurrence(_ event: Event) -> AudienceEvent {
        var properties: [String: AttributeValue] = [:]
        properties["product_id"] = event.productID.map(AttributeValue.string)
        if let price = event.price {
            properties["price"] = .number(Double(price) / 100)
            properties["currency"] = .string("USD")
        }
        return AudienceEvent(
            profile: Int64(event.user) + 1,
            activity: .event(SyntheticAudience.eventNames[event.name]),
            time: event.time,
            properties: properties
        )
    }

    /// The six segments of `audience-expected.json` by their names, in the text form. The counts
    /// of `f` are its users and their devices.
    package static let segments: [(name: String, text: String)] = [
        ("a", #"country = "DE" and plan = "pro""#),
        (
            "b",
            "last_session_at >= now - 7 days and event purchase count >= 3 in last 30 days"
        ),
        ("c", #"interests contains "running" and event add_to_cart not done in last 14 days"#),
        ("d", "referral_code matches '^(SUMMER|WINTER)-[0-9]{3}7$'"),
        (
            "e",
            """
            (country in ("DE", "FR") or language = "es") and (plan = "pro" or loyalty_points >= 5000) \
            and (is_vip or nps >= 9) and (session_count > 20 or event favorite done in last 7 days)
            """
        ),
        ("f", #"push_subscribe != "unsubscribed" and device_count >= 1"#),
    ]
}
