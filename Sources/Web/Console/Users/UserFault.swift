import Model
import Reasons
import WebPages

/// What the store refuses about an attribute, in the member's words.
enum UserFault {
    private static let wordKeys: [String: String] = [
        UserDataReason.changedMeanwhile.key: "users.fault.changed",
        UserDataReason.notAnAddress.key: "users.fault.email",
        UserDataReason.notAPhoneNumber.key: "users.fault.phone",
        UserDataReason.countryCode.key: "users.fault.country",
        UserDataReason.languageCode.key: "users.fault.language",
        UserDataReason.notAZone.key: "users.fault.time_zone",
        UserDataReason.dateOfBirth.key: "users.fault.dob",
        UserDataReason.attributeName.key: "users.fault.name",
        UserDataReason.storedCut.key: "users.fault.too_long",
        UserDataReason.longerThan.key: "users.fault.too_long",
        UserDataReason.attributeTooLarge.key: "users.fault.too_large",
        UserDataReason.blockedAttribute.key: "users.fault.blocked",
    ]

    static func text(_ problem: FieldProblem, _ words: Words) -> String {
        wordKeys[problem.reason.code].map { words($0) } ?? problem.message
    }
}
