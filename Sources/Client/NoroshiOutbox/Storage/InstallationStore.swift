import Foundation
import NoroshiWire

/// The folder that the app and its extensions share: the outbox and the installation's state,
/// behind one lock that holds between threads and between processes.
///
/// On Apple's systems the folder stays out of backups, so that a restored copy becomes another
/// installation, and can be read from the first unlocking of the phone on, as extensions need.
package final class InstallationStore: Sendable {
    private struct Files {
        var lock: FileDescriptor?
        var outbox: OutboxFile
        var state: InstallationState?
        var stateInode: UInt64 = 0
    }

    /// What a caller may do while it holds the lock.
    package struct Access {
        fileprivate(set) var outbox: OutboxFile
        /// Changes are stored when the caller returns without an error.
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

        /// Appends a record of another outbox, under a number of this one.
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

    /// The oldest records, at most `count` and about `bytes`, with the state that goes with them.
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
                // A newer version of the app may have written what this one cannot read. The
                // caller says so and deletes it, or it would block all that follow.
                unreadable.append(frame.id)
            }
        }
        return (records, unreadable, state)
    }

    /// Deletes the records `ids`.
    package func delete(_ ids: Set<UUID>) throws {
        try access { try $0.outbox.delete(ids) }
    }

    /// Deletes all records and forgets who this is: the next start is a new installation.
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

    /// How many records wait.
    package func pendingCount() throws -> Int {
        try access { access in
            try access.outbox.refresh()
            return access.outbox.liveEntries.count
        }
    }

    /// The newest record that waits and that is kept longest: what the server says is up to date
    /// once it has answered for this one. `nil` if nothing waits.
    package func newestWaiting() throws -> UUID? {
        try access { access in
            try access.outbox.refresh()
            let waiting = access.outbox.liveEntries
            return (waiting.last(where: \.isImportant) ?? waiting.last)?.id
        }
    }

    /// Whether the record `id` waits.
    package func isWaiting(_ id: UUID) throws -> Bool {
        try access { access in
            try access.outbox.refresh()
            return access.outbox.liveEntries.contains { $0.id == id }
        }
    }

    /// Records given up because the outbox was full, since this object was made.
    package func droppedCount() throws -> Int {
        try access { $0.outbox.droppedCount }
    }

    /// Gives `holder` the right to send until `end`, or longer if it has the right already, so that
    /// two do not send the same records; `false` while another has it.
    ///
    /// It is a note and no lock: iOS kills an app that it suspends with a lock in an App Group, and
    /// a request may last longer than the app may run. The right ends with the time or with the
    /// death of the process.
    package func claimSending(by holder: UUID, until end: Date, now: Date) throws -> Bool {
        try access { _ in
            if let lease = readLease(), lease.holder != holder, lease.holds(at: now, until: end) {
                return false
            }
            let lease = SendingLease(holder: holder, process: getpid(), end: end)
            try writeFile(SendingLease.fileName, try JSONEncoder().encode(lease))
            return true
        }
    }

    /// Ends the right of `holder` to send.
    package func releaseSending(by holder: UUID) throws {
        try access { _ in
            guard readLease()?.holder == holder else { return }
            try FileManager.default.removeItem(
                at: directory.appendingPathComponent(SendingLease.fileName)
            )
        }
    }

    private func readLease() -> SendingLease? {
        // A note that cannot be read is as good as none: sending twice does no harm.
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
        // Missing at the first start. An unreadable file cannot come from a crash, because it is
        // replaced in one step; a new installation is the only way on.
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
    /// Whether the record is kept longer than others when the outbox is full: what changes the
    /// profile, money and the measurement of pushes, rather than events, sessions and views.
    var isImportant: Bool {
        switch self {
        case .event, .sessionStarted, .sessionEnded, .inAppMessage: false
        case .purchase, .attributes, .userChanged, .alias, .pushToken, .pushTokenCleared, .push:
            true
        }
    }
}
