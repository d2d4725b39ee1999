import Foundation
import NoroshiWire

/// The data that app versions before Noroshi left in the App Group's UserDefaults: arrays that a
/// content extension filled and the app was to send at its next start.
///
/// - `pending_custom_events`: dictionaries with `event_name` and the properties beside it
/// - `pending_custom_attributes`: dictionaries of custom attributes; older Objective-C code also
///   stored events here, which contain `event_name`
/// - `pending_user_attributes`: property lists such as `{email: "a@b.c"}`
struct LegacyPendingData {
    static let eventsKey = "pending_custom_events"
    static let attributesKey = "pending_custom_attributes"
    static let userAttributesKey = "pending_user_attributes"

    private static let eventNameKey = "event_name"

    /// The standard fields, by the names of stored user attributes.
    private static let fields = [
        "email": "email", "first_name": "first_name", "firstName": "first_name",
        "last_name": "last_name", "lastName": "last_name", "phone": "phone",
        "phone_number": "phone", "phoneNumber": "phone", "home_city": "home_city",
        "homeCity": "home_city", "country": "country", "language": "language",
        "gender": "gender",
    ]

    private(set) var contents: [SDKRecord.Content] = []
    /// Descriptions of data that could not be read.
    private(set) var problems: [String] = []

    var isEmpty: Bool { contents.isEmpty && problems.isEmpty }

    init(_ defaults: UserDefaults) {
        let events = defaults.array(forKey: Self.eventsKey) ?? []
        let attributes = defaults.array(forKey: Self.attributesKey) ?? []
        let userAttributes = defaults.array(forKey: Self.userAttributesKey) ?? []
        for element in events { addEvent(element) }
        for element in attributes { addAttributes(element) }
        for element in userAttributes { addUserAttribute(element) }
    }

    /// Removes the data that was read.
    static func remove(from defaults: UserDefaults) {
        for key in [eventsKey, attributesKey, userAttributesKey] {
            defaults.removeObject(forKey: key)
        }
    }

    private mutating func addEvent(_ element: Any) {
        guard
            let dictionary = element as? [String: Any],
            let name = dictionary[Self.eventNameKey] as? String,
            let properties = JSONValue.members(dictionary.filter { $0.key != Self.eventNameKey })
        else {
            problems.append("an event without a name, or with a property of an unknown type")
            return
        }
        contents.append(.event(name: name, properties: properties))
    }

    private mutating func addAttributes(_ element: Any) {
        guard let dictionary = element as? [String: Any] else {
            problems.append("custom attributes that are no dictionary")
            return
        }
        if dictionary[Self.eventNameKey] is String {
            addEvent(dictionary)
        } else if let members = JSONValue.members(dictionary) {
            contents.append(.attributes(members, mergeObjects: false))
        } else {
            problems.append("a custom attribute of an unknown type")
        }
    }

    private mutating func addUserAttribute(_ element: Any) {
        guard
            let data = element as? Data,
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let dictionary = list as? [String: Any]
        else {
            problems.append("a user attribute that is no property list")
            return
        }
        for (key, value) in dictionary {
            guard let field = Self.fields[key] else {
                problems.append("the unknown user attribute \(key)")
                continue
            }
            // The old encoder wrote the text `$null` for a missing value.
            let text = (value as? String).flatMap { $0 == "$null" ? nil : $0 }
            let content = text.map(JSONValue.string) ?? .null
            contents.append(.attributes([field: content], mergeObjects: false))
        }
    }
}

extension Recorder {
    /// Imports the data that an older app version left in `defaults`; returns the number of
    /// resulting records.
    ///
    /// The ids of the records are derived from their contents and the number of the import. If the
    /// process dies between recording and removing, the next start derives the same ids, and the
    /// server stores each once.
    package func importLegacyData(from defaults: UserDefaults) -> Result<Int, NoroshiError> {
        let pending = LegacyPendingData(defaults)
        guard !pending.isEmpty else { return .success(0) }
        for problem in pending.problems {
            logger.log(.error, "left out of the older app version's data: \(problem)")
        }
        let result = transaction(urgent: true) { access in
            let number = access.state.legacyImportCount
            for (index, content) in pending.contents.enumerated() {
                let seed = "\(access.state.deviceID) \(number) \(index) \(content)"
                try access.append(content, id: UUID(derivedFrom: seed), time: dependencies.now())
            }
            access.state.legacyImportCount = number + 1
            return pending.contents.count
        }
        if case .success = result { LegacyPendingData.remove(from: defaults) }
        return result
    }
}

extension UUID {
    /// An id derived from the text: two 64-bit FNV-1a hashes.
    init(derivedFrom text: String) {
        let halves = [UInt64(0xCBF2_9CE4_8422_2325), UInt64(0x8422_2325_CBF2_9CE4)].map { seed in
            text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        }
        var bytes = halves.flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
        // Version 8 of RFC 9562: an id made by a rule of one's own.
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
