import StoreSQL

/// What keeps other servers from a database while this one works on it.
enum ServerClaim: Sendable {
    case file(DatabaseClaim)
    case postgres(PostgresClaim)

    /// What others read about this server.
    var holder: DatabaseClaim.Holder {
        switch self {
        case .file(let claim): claim.holder
        case .postgres(let claim): claim.holder
        }
    }

    /// Records the address at which the server can be reached.
    func announce(address: String) async throws {
        switch self {
        case .file(let claim): claim.announce(address: address)
        case .postgres(let claim): try await claim.announce(address: address)
        }
    }

    /// Lets the next server take the database.
    func release() {
        switch self {
        case .file(let claim): claim.release()
        case .postgres(let claim): claim.release()
        }
    }
}
