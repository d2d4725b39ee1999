import Accounts
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

extension MemberDirectory {
    /// The member with an id of ``SCIMID``.
    ///
    /// - Throws: `RefusalError` with the code `noMember`.
    func member(scim id: String, in workspace: WorkspaceID) async throws -> MemberEntry {
        guard let number = SCIMID.member(id) else { throw RefusalError(.noMember) }
        let entry = try await member(number, in: workspace)
        // The number may have belonged to another member.
        guard SCIMID.text(of: entry) == id else { throw RefusalError(.noMember) }
        return entry
    }
}
