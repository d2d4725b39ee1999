import Foundation

/// The addresses of the phones' pages. Cases with a text take the phone's id, or `:phone` in the
/// router.
package enum PhonePath: Sendable, Hashable {
    case phones, clock, guests
    case phone(String), changes(String), actions(String), message(String), pictures(String),
        week(String)

    package var path: String {
        switch self {
        case .phones: "/phones"
        case .clock: "/phones/clock"
        case .guests: "/phones/guests"
        case .phone(let id): "/phones/\(id)"
        case .changes(let id): "/phones/\(id)/changes"
        case .actions(let id): "/phones/\(id)/actions"
        case .message(let id): "/phones/\(id)/message"
        case .pictures(let id): "/phones/\(id)/pictures"
        case .week(let id): "/phones/\(id)/week"
        }
    }

    /// The address of the picture of a notification (page 0) or of a page of its push story, from 1.
    package static func picture(of phone: String, notification: String, page: Int) -> String {
        var address = URLComponents()
        address.path = PhonePath.pictures(phone).path
        address.queryItems = [
            URLQueryItem(name: "notification", value: notification),
            URLQueryItem(name: "page", value: "\(page)"),
        ]
        return address.string ?? address.path
    }
}
