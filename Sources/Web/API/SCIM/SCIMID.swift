import Foundation
import Model

/// The id of a member: its number, which may be reused later, and its time of creation.
enum SCIMID {
    static func text(of entry: MemberEntry) -> String {
        "\(entry.member.id.rawValue)-\(String(entry.createdAt.milliseconds, radix: 36))"
    }

    /// The number in an id; the caller must check that the id is that of the member with the
    /// number.
    static func member(_ text: String) -> MemberID? {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
        return MemberID(number)
    }
}
