import Foundation
import Model
import Ports
import Reasons
import Relational

/// Where a database is, for what people read about it.
enum StorePlace: Sendable {
    case file(DatabaseFile)
    /// PostgreSQL's server and database, without a password.
    case server(String)

    /// - Parameter address: A `postgres://` address or a connection string of libpq.
    init(postgres address: String) {
        self = .server(PostgresAddress(address).name)
    }

    var name: String {
        switch self {
        case .file(let file): file.path
        case .server(let name): name
        }
    }

    private var owners: String {
        switch self {
        case .file(let file): LockOwners.words(file)
        case .server: ""
        }
    }

    /// What an error says about the condition of the database; `nil` if nothing.
    func trouble(of error: DatabaseError) -> StoreTrouble? {
        let path: [String: Reason.Argument] = ["path": .text(name)]
        switch error.kind {
        case .diskFull: return StoreTrouble(.diskFull, path)
        case .locked:
            return StoreTrouble(.locked, ["path": .text(name), "holders": .text(owners)])
        case .readOnly: return StoreTrouble(.readOnly, path)
        case .inputOutput:
            return StoreTrouble(.unreadable, ["path": .text(name), "code": .text(error.code)])
        case .cannotOpen: return StoreTrouble(.fileUnusable, path)
        case .noMemory: return StoreTrouble(.noMemory)
        case .lost:
            return StoreTrouble(
                .unreachable,
                ["path": .text(name), "reason": .text(error.message)]
            )
        case .superseded: return StoreTrouble(Reason(StoreReason.superseded, path), isLasting: true)
        case .damaged: return StoreTrouble(damage(error), isLasting: true)
        case .taken, .constraint, .mismatch, .aborted, .other: return nil
        }
    }

    /// What is thrown where PostgreSQL's server cannot be used.
    func judge(_ error: any Error) -> any Error {
        guard let problem = DatabaseError(error) else { return error }
        return StoreError(
            .unavailable,
            .unreachable,
            ["path": .text(name), "reason": .text(problem.message)]
        )
    }

    func damage(_ error: DatabaseError) -> Reason {
        let detail = error.message.isEmpty ? "" : " (\(error.message))"
        return Reason(StoreReason.damaged, ["path": .text(name), "detail": .text(detail)])
    }
}
