import Foundation
import Model
import Ports
import Reasons
import Synchronization

/// Marks a database as used by one server for the lifetime of the process.
///
/// The claim is a kernel lock on a file beside the database and disappears with its process,
/// however that ends. The file's content tells people and the next server which process holds it.
package final class DatabaseClaim: Sendable {
    /// The process that holds a database.
    package struct Holder: Sendable, Hashable, Codable {
        package enum Purpose: String, Sendable, Codable {
            /// A server, which runs indefinitely.
            case server
            /// A change of the schema, which ends soon.
            case migration
            /// A command that needs exclusive use.
            case command
        }

        package var purpose: Purpose
        package var process: Int32
        package var host: String
        package var since: Date
        /// The address on which the server listens; `nil` until it does.
        package var address: String?

        package init(
            purpose: Purpose,
            process: Int32,
            host: String,
            since: Date,
            address: String? = nil
        ) {
            self.purpose = purpose
            self.process = process
            self.host = host
            self.since = since
            self.address = address
        }

        /// This process.
        package static func current(_ purpose: Purpose, since: Date) -> Holder {
            // Not Foundation's host name, which may wait for a name server.
            var name = [CChar](repeating: 0, count: 256)
            let isKnown = gethostname(&name, name.count - 1) == 0
            let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return Holder(
                purpose: purpose,
                process: ProcessInfo.processInfo.processIdentifier,
                host: isKnown
                    ? String(decoding: bytes, as: UTF8.self) : "an unknown host",
                since: since
            )
        }

        package var sentence: String {
            let what =
                switch purpose {
                case .server: "a server"
                case .migration: "a change of its schema"
                case .command: "another command"
                }
            let place = address.map { ", listening on \($0)" } ?? ""
            let start = since.formatted(.iso8601)
            return "\(what) has it: process \(process) on \(host)\(place), since \(start)"
        }
    }

    private struct State {
        var file: Int32?
        var holder: Holder
    }

    private let state: Mutex<State>

    private init(file: Int32, holder: Holder) {
        state = Mutex(State(file: file, holder: holder))
    }

    deinit { release() }

    /// Takes the claim.
    ///
    /// - Parameter patience: How long to wait for a migration to end; a fifth of it for any other
    ///   holder, because the system releases the locks of a killed process with a delay.
    /// - Throws: `StoreError` with code `taken`, which names the holder.
    package static func take(
        path: String,
        for holder: Holder,
        patience: Duration = .seconds(10)
    ) throws -> DatabaseClaim {
        let lockPath = try DatabaseFile(preparing: path).path + ".lock"
        guard let file = DatabaseFile.opened(lockPath, O_RDWR | O_CREAT) else {
            throw StoreError(
                .unavailable,
                .cannotBeLocked,
                [
                    "path": .text(path), "lock": .text(lockPath),
                    "reason": .text(DatabaseFile.reason(errno)),
                ]
            )
        }
        let start = ContinuousClock.now
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            let problem = errno
            let other = readHolder(lockPath)
            let limit = other?.purpose == .migration ? patience : patience / 5
            let isWorthWaiting = ContinuousClock.now - start < limit
            guard isWorthWaiting else {
                close(file)
                guard problem == EWOULDBLOCK else {
                    throw StoreError(
                        .unavailable,
                        .cannotBeClaimed,
                        ["path": .text(path), "reason": .text(DatabaseFile.reason(problem))]
                    )
                }
                throw StoreError(
                    .taken,
                    .inUse,
                    [
                        "path": .text(path),
                        "holder": .text(other?.sentence ?? "another Noroshi has it"),
                    ]
                )
            }
            usleep(20_000)
        }
        let claim = DatabaseClaim(file: file, holder: holder)
        claim.write(holder, to: file)
        return claim
    }

    /// The current holder, as the last process to claim the database recorded itself; `nil` if no
    /// process holds it.
    package static func holder(path: String) throws -> Holder? {
        let lockPath = try DatabaseFile(preparing: path).path + ".lock"
        guard let file = DatabaseFile.opened(lockPath, O_RDONLY) else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else { return nil }
        return readHolder(lockPath)
    }

    /// What others read about the process that holds the database.
    package var holder: Holder { state.withLock(\.holder) }

    /// Records the address at which the server can be reached.
    package func announce(address: String) {
        state.withLock { state in
            state.holder.address = address
            if let file = state.file { write(state.holder, to: file) }
        }
    }

    /// Releases the claim; another process may take it.
    package func release() {
        state.withLock { state in
            if let file = state.file {
                // A process that is just being started has the file open for a moment, too.
                flock(file, LOCK_UN)
                close(file)
            }
            state.file = nil
        }
    }

    private func write(_ holder: Holder, to file: Int32) {
        // The note is informational: failing to write it, on a full disk, does not affect the
        // claim.
        let note = Data(holder.note.utf8)
        _ = ftruncate(file, 0)
        _ = note.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    }

    private static func readHolder(_ lockPath: String) -> Holder? {
        guard let note = try? String(contentsOfFile: lockPath, encoding: .utf8) else { return nil }
        // Another process may be writing its note at this moment; the lock still shows that one
        // holds it.
        return Holder(note: note)
    }
}

extension DatabaseClaim.Holder {
    /// What others read about the holder, as JSON.
    var note: String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let note = try? encoder.encode(self) else { return "" }
        return String(decoding: note, as: UTF8.self)
    }

    init?(note: String) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let holder = try? decoder.decode(Self.self, from: Data(note.utf8)) else { return nil }
        self = holder
    }
}
