import Foundation
import NoroshiWire
import Reasons

/// The values that a standard attribute may have.
enum StandardAttributeValidator {
    static func apply(
        _ value: JSONValue,
        to attribute: StandardAttribute,
        of profile: inout Profile
    ) throws(FieldProblem) {
        if value == .null {
            profile.standard[attribute] = nil
            return
        }
        let accepted = try accepted(value, for: attribute)
        profile.standard[attribute] =
            attribute == .subscriptionGroups
            ? Profile.merged(subscriptionGroups: profile.standard[attribute], with: accepted)
            : accepted
    }

    private static func accepted(
        _ value: JSONValue,
        for attribute: StandardAttribute
    ) throws(FieldProblem) -> JSONValue {
        switch attribute {
        case .firstName, .lastName, .homeCity, .imageURL:
            return .string(try text(value, attribute, limit: 1024))
        case .email:
            let address = try text(value, attribute, limit: 320)
            guard ContactRule.isEmailAddress(address) else {
                throw FieldProblem(attribute.rawValue, .notAnAddress, ["text": .text(address)])
            }
            return .string(address)
        case .phone:
            let number = try text(value, attribute, limit: 64)
            try require(
                ContactRule.isPhoneNumber(number),
                attribute,
                .notAPhoneNumber,
                ["text": .text(number)]
            )
            return .string(number)
        case .country:
            let code = try text(value, attribute, limit: 64).uppercased()
            try require(
                code.count == 2 && code.allSatisfy(\.isASCIILetter),
                attribute,
                .countryCode
            )
            return .string(code)
        case .language:
            let code = try text(value, attribute, limit: 64).lowercased()
            try require(
                (2...3).contains(code.prefix { $0 != "-" && $0 != "_" }.count),
                attribute,
                .languageCode
            )
            return .string(String(code.prefix { $0 != "-" && $0 != "_" }))
        case .timeZone:
            let name = try text(value, attribute, limit: 64)
            try require(
                TimeZone(identifier: name) != nil,
                attribute,
                .notAZone,
                ["text": .text(name)]
            )
            return .string(name)
        case .gender:
            let code = try text(value, attribute, limit: 16).uppercased()
            try require(
                ["M", "F", "O", "N", "P"].contains(code),
                attribute,
                .gender
            )
            return .string(code)
        case .dateOfBirth:
            let date = try text(value, attribute, limit: 32)
            let time = Timestamp.parse(date)
            try require(
                time != nil && date.count >= 10,
                attribute,
                .dateOfBirth
            )
            // The day as written, not the day in UTC.
            let day = date.contains("/") ? time.map(Timestamp.format) ?? date : date
            return .string(String(day.prefix(10)))
        case .pushSubscription, .emailSubscription:
            let state = try text(value, attribute, limit: 32)
            try require(
                SubscriptionState(rawValue: state) != nil,
                attribute,
                .subscriptionState
            )
            return .string(state)
        case .dateOfFirstSession, .dateOfLastSession, .markedEmailAsSpamAt, .pushOptedInAt,
            .pushUnsubscribedAt, .emailOptedInAt, .emailUnsubscribedAt:
            let date = try text(value, attribute, limit: 64)
            let time = Timestamp.parse(date)
            try require(time != nil, attribute, .sendTime)
            return .string(date.contains("/") ? time.map(Timestamp.format) ?? date : date)
        case .emailOpenTrackingDisabled, .emailClickTrackingDisabled:
            try require(value.boolValue != nil, attribute, .sendFlag)
            return value
        case .currentLocation:
            let isPlace =
                value["latitude"]?.doubleValue.map { abs($0) <= 90 } == true
                && value["longitude"]?.doubleValue.map { abs($0) <= 180 } == true
            try require(
                isPlace,
                attribute,
                .sendPlace
            )
            return value
        case .facebook, .twitter:
            try require(value.objectValue != nil, attribute, .sendAnyObject)
            try CustomAttributeValidator.checkSize(of: value, attribute.rawValue)
            return value
        case .subscriptionGroups:
            let areGroups = value.arrayValue?.allSatisfy {
                $0["subscription_group_id"]?.stringValue != nil
                    && $0["subscription_state"]?.stringValue.flatMap(SubscriptionState.init) != nil
            }
            try require(
                areGroups == true,
                attribute,
                .sendGroups
            )
            return value
        }
    }

    private static func text(
        _ value: JSONValue,
        _ attribute: StandardAttribute,
        limit: Int
    ) throws(FieldProblem) -> String {
        guard let text = value.stringValue else {
            throw FieldProblem(attribute.rawValue, .sendString)
        }
        guard text.utf8.count <= limit else {
            throw FieldProblem(attribute.rawValue, .longerThan, ["count": "\(limit)"])
        }
        return text
    }

    private static func require(
        _ condition: Bool,
        _ attribute: StandardAttribute,
        _ code: UserDataReason,
        _ arguments: @autoclosure () -> [String: Reason.Argument] = [:]
    ) throws(FieldProblem) {
        if !condition {
            throw FieldProblem(attribute.rawValue, code, arguments())
        }
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
