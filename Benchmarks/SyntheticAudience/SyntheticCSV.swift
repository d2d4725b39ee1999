/// The synthetic audience as the two CSV files `generate_audience.py` writes, byte for byte.
package enum SyntheticCSV {
    package static let userHeader =
        "user_no,external_id,first_name,last_name,email,country,language,gender,dob,home_city,"
        + "time_zone,created_at,last_session_at,session_count,push_subscribe,email_subscribe,"
        + "custom_attributes,devices\n"
    package static let eventHeader = "user_no,name,time,properties\n"

    package static func line(_ user: SyntheticUser) -> String {
        let fields: [String] = [
            String(user.number), user.externalID, user.firstName, user.lastName, user.email,
            user.country, user.language, user.gender, date(user.birthDay), user.city,
            user.timeZone, String(user.createdAt), String(user.lastSessionAt),
            String(user.sessionCount), user.pushSubscribe, user.emailSubscribe,
            quoted(json(user.attributes)), quoted(json(user.devices)),
        ]
        return fields.joined(separator: ",") + "\n"
    }

    package static func line(_ event: SyntheticAudience.Event) -> String {
        var properties = ""
        if let product = event.productID {
            var text = "{\"product_id\":\"\(product)\""
            if let price = event.price {
                text += ",\"price\":\(hundredths(price)),\"currency\":\"USD\""
            }
            properties = quoted(text + "}")
        }
        let name = SyntheticAudience.eventNames[event.name]
        return "\(event.user),\(name),\(event.time),\(properties)\n"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.utf8 {
            if character == UInt8(ascii: "\"") {
                quoted += "\"\""
            } else {
                quoted.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        return quoted + "\""
    }

    /// As Python prints the quotient: no trailing zeros, but at least one decimal.
    private static func hundredths(_ value: Int) -> String {
        let fraction = value % 100
        guard fraction % 10 != 0 else { return "\(value / 100).\(fraction / 10)" }
        return "\(value / 100).\(SyntheticUser.padded(fraction, 2))"
    }

    private static func date(_ days: Int) -> String {
        // A walk through the years, so that the files do not depend on the code they test.
        var year = 1_970
        var rest = days
        func length(_ year: Int) -> Int {
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
        }
        while rest < 0 {
            year -= 1
            rest += length(year)
        }
        while rest >= length(year) {
            rest -= length(year)
            year += 1
        }
        let months = [31, length(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while rest >= months[month] {
            rest -= months[month]
            month += 1
        }
        return [
            SyntheticUser.padded(year, 4), SyntheticUser.padded(month + 1, 2),
            SyntheticUser.padded(rest + 1, 2),
        ].joined(separator: "-")
    }

    private static func json(_ attributes: SyntheticUser.Attributes) -> String {
        var members = ["\"plan\":\"\(attributes.plan)\""]
        if let category = attributes.favoriteCategory {
            members.append("\"favorite_category\":\"\(category)\"")
        }
        members.append("\"app_version\":\"\(attributes.appVersion)\"")
        if let code = attributes.referralCode { members.append("\"referral_code\":\"\(code)\"") }
        members.append("\"loyalty_points\":\(attributes.loyaltyPoints)")
        if let nps = attributes.nps { members.append("\"nps\":\(nps)") }
        members.append("\"balance\":\(hundredths(attributes.balance))")
        members.append("\"is_vip\":\(attributes.isVIP)")
        if let rating = attributes.hasAppRating { members.append("\"has_app_rating\":\(rating)") }
        if let time = attributes.lastPurchaseAt { members.append("\"last_purchase_at\":\(time)") }
        members.append("\"interests\":\(json(attributes.interests))")
        if let tags = attributes.tags { members.append("\"tags\":\(json(tags))") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func json(_ strings: [String]) -> String {
        "[\(strings.map { "\"\($0)\"" }.joined(separator: ","))]"
    }

    private static func json(_ devices: [SyntheticUser.Device]) -> String {
        let objects = devices.map {
            "{\"platform\":\"\($0.platform)\",\"token\":\"\($0.token)\"}"
        }
        return "[\(objects.joined(separator: ","))]"
    }
}
