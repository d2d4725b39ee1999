import Foundation

/// What a server does among those that work on one database.
package enum ServerRole: String, Sendable, Hashable, CaseIterable {
    /// Answers requests: of the REST API, of SDKs and of the console.
    case requests
    /// Sends the pushes that are due.
    case delivery
    /// Does, when it leads, what one server does for all.
    case leadership
}

extension Set<ServerRole> {
    package static let all = Set(ServerRole.allCases)

    /// Whether a server with these roles counts and lists audiences, for which it has the columns of all users in
    /// its memory. To send what is planned takes none.
    package var keepsColumns: Bool { contains(.requests) || contains(.leadership) }

    /// As it is stored and set: names with commas, in the order of ``ServerRole``.
    package var text: String {
        ServerRole.allCases.filter(contains).map(\.rawValue).joined(separator: ",")
    }

    /// - Parameter text: Names with commas between them; `nil` if one is not known, or there is none.
    package init?(text: String) {
        self = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.trimmingCharacters(in: .whitespaces)
            guard let role = ServerRole(rawValue: name) else { return nil }
            insert(role)
        }
    }
}
