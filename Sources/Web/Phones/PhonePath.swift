/// The addresses of the phones' pages. Cases with a text take the phone's id, or `:phone` in the
/// router.
package enum PhonePath: Sendable, Hashable {
    case phones
    case phone(String), changes(String), actions(String), message(String)

    package var path: String {
        switch self {
        case .phones: "/phones"
        case .phone(let id): "/phones/\(id)"
        case .changes(let id): "/phones/\(id)/changes"
        case .actions(let id): "/phones/\(id)/actions"
        case .message(let id): "/phones/\(id)/message"
        }
    }
}
