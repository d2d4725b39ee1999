import Foundation

/// The number of a row that other rows refer to, with a distinct type per kind of row.
package struct RowID<Kind>: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    package let rawValue: Int64

    package init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }

    package var description: String { String(rawValue) }
}

package enum WorkspaceKind {}
package enum AppKind {}
package enum ProfileKind {}
package enum DeviceKind {}
package enum SendKind {}
package enum MemberKind {}
package enum SegmentKind {}
package enum CampaignKind {}
package enum UserListKind {}
package enum NewsKind {}
package enum JourneyKind {}
package enum JourneyEntryKind {}

/// An isolated set of apps, users, sends and keys.
package typealias WorkspaceID = RowID<WorkspaceKind>
/// One app on one platform.
package typealias AppID = RowID<AppKind>
/// A user's profile.
package typealias ProfileID = RowID<ProfileKind>
/// One installation of an app on a device.
package typealias DeviceID = RowID<DeviceKind>
/// One launch of a message; its number is the `push_no` of the payload.
package typealias SendID = RowID<SendKind>
/// A message that is sent by rule.
package typealias CampaignID = RowID<CampaignKind>
/// A person who uses the console.
package typealias MemberID = RowID<MemberKind>
/// A stored segment.
package typealias SegmentID = RowID<SegmentKind>
/// An uploaded list of users.
package typealias UserListID = RowID<UserListKind>
/// An announcement that apps list.
package typealias NewsID = RowID<NewsKind>
/// Messages and waits that people go through over days.
package typealias JourneyID = RowID<JourneyKind>
/// One person's way through a journey, from entering it to its end.
package typealias JourneyEntryID = RowID<JourneyEntryKind>

/// Identifies one message to one device. It is derived from the send and the device, so it is the
/// same for every retry, even after a restart.
package struct DispatchID: Sendable, Hashable, Codable, CustomStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }

    package init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uuid)
    }

    /// Lowercase, as APNs requires for `apns-id`.
    ///
    /// Written digit by digit, because it is created several times for every push and Foundation's
    /// implementation with `printf` costs more than the rest of the payload.
    package var description: String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var position = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[position] = UInt8(ascii: "-")
                        position += 1
                    }
                    text[position] = Self.digit(byte >> 4)
                    text[position + 1] = Self.digit(byte & 0xf)
                    position += 2
                }
                return position
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
