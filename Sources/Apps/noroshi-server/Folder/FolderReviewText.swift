import Console
import Foundation
import Model

/// What a review says, as lines of a plan.
struct FolderReviewText {
    private let books: ConsoleBooks

    /// - Parameter books: Their words are those of the console's review.
    init(_ books: ConsoleBooks) { self.books = books }

    func lines(_ found: FolderReview.Found) -> [String] {
        let outlook = found.outlook
        var lines = outlook.findings.compactMap(missing)
        if !outlook.payloads.isEmpty {
            let largest = outlook.payloads.map { payload in
                "\(payload.platform.rawValue) \(FolderReach.grouped(payload.bytes))"
                    + (payload.user.isEmpty ? "" : " (\(payload.user))")
            }
            let limit = FolderReach.grouped(outlook.payloads[0].limit)
            lines.append("largest payload of \(limit) bytes: " + largest.joined(separator: ", "))
        }
        lines += outlook.findings.filter { missing($0) == nil }
            .map { "warning: " + books.sentence($0, countsDevices: found.isPush) }
        return lines
    }

    /// Such as `first_name: missing for 12.3 % of 8,120 users`.
    private func missing(_ finding: SendFinding) -> String? {
        guard case .missing(let attribute, let users, let all) = finding else { return nil }
        let share = String(format: "%.1f", Double(users) / Double(all) * 100)
        return "\(attribute): missing for \(share) % of \(FolderReach.grouped(all)) users"
    }
}
