import Foundation
import Model

/// What a member is called: a number that another member may get later, and when they were made.
enum SCIMID {
    static func text(of entry: MemberEntry) -> String {
        "\(entry.member.id.rawValue)-\(String(entry.createdAt.milliseconds, radix: 36))"
    }

    /// The number in an id; whether the id is that of the member with the number is to be seen.
    static func member(_ text: String) -> MemberID? {
        let parts = text.split(separator: "-")
        guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
        return MemberID(number)
    }
}
