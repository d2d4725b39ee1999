import Foundation
import NoroshiWire

/// The folder that the app and its extensions share: the outbox and the installation's state,
/// protected by one lock between threads and between processes.
///
/// On Apple's systems the folder is excluded from backups, so that a restored copy becomes another
/// installation, and can be read after the first unlock of the phone, as extensions require.
package final class InstallationStore: Sendable {
    private struct Files {
        var lock: FileDescriptor?
        var outbox: OutboxFile
        var state: InstallationState?
        var stateInode: UInt64 = 0
    }

    /// The operations that are available while the lock is held.
    package struct Access {
        fileprivate(set) var outbox: OutboxFile
        /// Stored when the closure returns without an error.
        package var state: InstallationState

        /// Appends a record of `content` for the current user, or for `user`.
        package mutating func append(
            _ content: SDKRecord.Content,
            id: UUID,
            time: Date,
            user: SDKUser? = nil
        ) throws {
            let user = user ?? state.user
            let session = state.session?.id
            try outbox.append(id: id, isImportant: content.isImportant) { sequence in
                let record = SDKRecord(
                    id: id,
                    sequence: sequence,
                    timeMilliseconds: Int64((time.timeIntervalSince1970 * 1000).rounded()),
                    user: user,
                    session: session,
                    content: content
                )
                return Array(try JSONEncoder().encode(record))
            }
        }

        /// Appends a record of another outbox, with the next number of this one.
        mutating func append(_ record: SDKRecord) throws {
            try outbox.append(id: record.id, isImportant: record.content.isImportant) { sequence in
                var record = record
                record.sequence = sequence
                return Array(try JSONEncoder().encode(record))
            }
        }
    }

    private let files: Locked<Files>
    package let directory: URL
    private let makeID: @Sendable () -> UUID

    package init(directory: URL, maximumBytes: Int, makeID: @escaping @Sendable () -> UUID) {
        self.directory = directory
        self.makeID = makeID
        files = Locked(
            Files(
                outbox: OutboxFile(
                    url: directory.appendingPathComponent("outbox"),
                    maximumBytes: maximumBytes
                )
            )
        )
    }

    /// Runs `body` while no other thread and no other process changes the folder.
    package func access<Result>(_ body: (inout Access) throws -> Result) throws -> Result {
        try files.withLock { files in
            let lock = try files.lock ?? openLock()
            files.lock = lock
            try lock.lockExclusively()
            defer { lock.unlock() }
            let before = try readState(&files)
            var access = Access(outbox: files.outbox, state: before)
            defer { files.outbox = access.outbox }
            let result = try body(&access)
            if access.state != before {
                try write(access.state, &files)
            }
            return result
        }
    }

    /// The oldest records, at most `count` and about `bytes`, with the state at that time.
    package func oldestRecords(
        count: Int,
        bytes: Int
    ) throws -> (records: [SDKRecord], unreadable: [UUID], state: InstallationState) {
        let (frames, state) = try access { access in
            (try access.outbox.read(count: count, bytes: bytes), access.state)
        }
        var records: [SDKRecord] = []
        var unreadable: [UUID] = []
        for frame in frames {
            do {
                records.append(
                    try JSONDecoder().decode(SDKRecord.self, from: Data(frame.payload))
                )
            } catch {
                // A newer version of the app may have written a record that this one cannot read.
                // The caller reports and deletes it, or it would block all later ones.
                unreadable.append(frame.id)
            }
        }
        return (records, unreadable, state)
    }

    /// Deletes the records `ids`.
    package func delete(_ ids: Set<UUID>) throws {
        try access { try $0.outbox.delete(ids) }
    }

    /// Deletes all records and the identity: the next start creates a new installation.
    package func wipe() throws {
        try access { access in
            try access.outbox.deleteAll()
            let isEnabled = access.state.isEnabled
            access.state = InstallationState(deviceID: makeID(), anonymousID: makeID())
            access.state.isEnabled = isEnabled
        }
    }

    /// The contents of the file `name` in the folder; `nil` if there is none.
    package func readFile(_ name: String) -> Data? {
        try? Data(contentsOf: directory.appendingPathComponent(name))
    }

    /// Writes the file `name` in the folder, in one step.
    package func writeFile(_ name: String, _ contents: Data) throws {
        try makeDirectory()
        try contents.write(to: directory.appendingPathComponent(name), options: .atomic)
    }

    /// Number of waiting records.
    package func pendingCount() throws -> Int {
        try access { access in
            try access.outbox.refresh()
            return access.outbox.liveEntries.count
        }
    }

    /// The newest waiting record among those kept longest: once the server has acknowledged it, the
    /// server's data is up to date. `nil` if there is none.
    package func newestWaiting() throws -> UUID? {
        try access { access in
            try access.outbox.refresh()
            let waiting = access.outbox.liveEntries
            return (waiting.last(where: \.isImportant) ?? waiting.last)?.id
        }
    }

    /// Whether the record `id` is waiting.
    package func isWaiting(_ id: UUID) throws -> Bool {
        try access { access in
            try access.outbox.refresh()
            return access.outbox.liveEntries.contains { $0.id == id }
        }
    }

    /// Number of records dropped because the outbox was full, since this object was created.
    package func droppedCount() throws -> Int {
        try access { $0.outbox.droppedCount }
    }

    /// Gives `holder` a lease for sending until `end`, or extends its lease, so that no two
    /// processes send the same records; `false` while another holder has it.
    ///
    /// It is a file and not a lock: iOS kills an app that it suspends with a lock in an App Group,
    /// and a request may last longer than the app may run. The lease ends with its time or with the
    /// process.
    package func acquireUploadLock(by holder: UUID, until end: Date, now: Date) throws -> Bool {
        try access { _ in
            if let lease = readLease(), lease.holder != holder, lease.holds(at: now, until: end) {
                return false
            }
            let lease = SendingLease(holder: holder, process: getpid(), end: end)
            try writeFile(SendingLease.fileName, try JSONEncoder().encode(lease))
            return true
        }
    }

    /// Ends the lease of `holder`.
    package func releaseSending(by holder: UUID) throws {
        try access { _ in
            guard readLease()?.holder == holder else { return }
            try FileManager.default.removeItem(
                at: directory.appendingPathComponent(SendingLease.fileName)
            )
        }
    }

    private func readLease() -> SendingLease? {
        // An unreadable lease counts as missing: sending twice does no harm.
        readFile(SendingLease.fileName).flatMap {
            try? JSONDecoder().decode(SendingLease.self, from: $0)
        }
    }

    private func openLock() throws -> FileDescriptor {
        try makeDirectory()
        return try FileDescriptor(creating: directory.appendingPathComponent("lock"))
    }

    private func makeDirectory() throws {
        guard !FileManager.default.fileExists(atPath: directory.path) else { return }
        #if canImport(Darwin) && !os(macOS)
        let attributes: [FileAttributeKey: Any] = [
            .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
        ]
        #else
        let attributes: [FileAttributeKey: Any] = [:]
        #endif
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: attributes
            )
            #if canImport(Darwin)
            var url = directory
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
            #endif
        } catch {
            throw NoroshiError(
                code: .storage,
                message: "the folder \(directory.path) could not be made: \(error)"
            )
        }
    }

    private var stateURL: URL { directory.appendingPathComponent("state.json") }

    private func readState(_ files: inout Files) throws -> InstallationState {
        let inode = FileDescriptor.inode(of: stateURL)
        if let state = files.state, inode == files.stateInode { return state }
        if inode != nil, let data = try? Data(contentsOf: stateURL),
            let state = try? JSONDecoder().decode(InstallationState.self, from: data)
        {
            files.state = state
            files.stateInode = inode ?? 0
            return state
        }
        // The file is missing at the first start. An unreadable file cannot result from a crash,
        // because it is replaced in one step; then a new installation is the only option.
        let state = InstallationState(deviceID: makeID(), anonymousID: makeID())
        try write(state, &files)
        return state
    }

    private func write(_ state: InstallationState, _ files: inout Files) throws {
        let temporary = stateURL.appendingPathExtension("new")
        let data = try JSONEncoder().encode(state)
        do {
            try data.write(to: temporary)
        } catch {
            throw NoroshiError(
                code: .storage,
                message: "\(temporary.path) could not be written: \(error)"
            )
        }
        try replaceFile(stateURL, with: temporary)
        files.state = state
        files.stateInode = FileDescriptor.inode(of: stateURL) ?? 0
    }
}

extension SDKRecord.Content {
    /// Whether the record is kept longer than others when the outbox is full: changes of the
    /// profile, purchases and push measurements, rather than events, sessions and views.
    var isImportant: Bool {
        switch self {
        case .event, .sessionStarted, .sessionEnded, .inAppMessage: false
        case .purchase, .attributes, .userChanged, .alias, .pushToken, .pushTokenCleared, .push:
            true
        }
    }
}
