import Foundation

/// The outbox file: records waiting to be acknowledged, oldest first.
///
/// It is used only while the container's lock is held, because other processes append to the same
/// file. A record is appended with one write and deleted by changing one byte; a process that dies
/// between two bytes leaves at most a torn record at the end, which the next process truncates.
/// Deleted records are removed from the file when they outweigh the live ones. `fsync` is called
/// only when the file is rewritten: a record survives the death of the process immediately, and a
/// power failure after the operating system has written its caches.
struct OutboxFile {
    /// The location of a record and the data needed to delete or drop it.
    struct Entry {
        var id: UUID
        var offset: Int
        var length: Int
        var isDeleted: Bool
        var isImportant: Bool
    }

    /// The damage found when the file was read.
    struct Damage: Equatable {
        /// Number of bytes of an unfinished record at the end, which were truncated.
        var tornBytes = 0
        /// Number of damaged bytes between records, which were skipped.
        var skippedBytes = 0
    }

    /// The header of the file: a name with a version, then the next sequence number.
    private static let magic: [UInt8] = Array("NOROSHI1".utf8)
    private static let headerLength = 16

    private let url: URL
    private let maximumBytes: Int
    private var descriptor: FileDescriptor?
    private var inode: UInt64 = 0
    private var end = 0
    private var entries: [Entry] = []
    private var liveBytes = 0
    private var nextSequence: UInt64 = 1

    /// Damage found since the outbox was opened.
    private(set) var damage = Damage()
    /// Number of records dropped because the outbox was full, since it was opened.
    private(set) var droppedCount = 0

    init(url: URL, maximumBytes: Int) {
        self.url = url
        self.maximumBytes = max(maximumBytes, 64 * 1024)
    }

    /// Records that are not deleted.
    var liveEntries: [Entry] { entries.filter { !$0.isDeleted } }

    /// Appends a record; `makePayload` gets its sequence number.
    mutating func append(
        id: UUID,
        isImportant: Bool,
        makePayload: (UInt64) throws -> [UInt8]
    ) throws {
        try refresh()
        let payload = try makePayload(nextSequence)
        guard payload.count <= OutboxFrame.payloadLengthMaximum else {
            throw NoroshiError(
                code: .invalidInput,
                message: "the record has \(payload.count) bytes; at most "
                    + "\(OutboxFrame.payloadLengthMaximum) are stored"
            )
        }
        let frame = OutboxFrame(
            isImportant: isImportant,
            sequence: nextSequence,
            id: id,
            payload: payload
        )
        if liveBytes + frame.length > maximumBytes {
            try makeRoom(for: frame.length)
        }
        guard let descriptor else { return }
        do {
            try descriptor.write(frame.encoded(), at: end)
        } catch {
            // A full disk may have cut off the record.
            try descriptor.truncate(to: end)
            throw error
        }
        add(frame, at: end)
        try writeNextSequence(to: descriptor)
    }

    /// The oldest live records, at most `count` and about `bytes`, but at least one.
    mutating func read(count: Int, bytes: Int) throws -> [OutboxFrame] {
        try refresh()
        guard let descriptor else { return [] }
        var frames: [OutboxFrame] = []
        var total = 0
        for entry in entries where !entry.isDeleted {
            guard frames.count < count, frames.isEmpty || total + entry.length <= bytes else {
                break
            }
            let content = try descriptor.read(at: entry.offset, count: entry.length)
            // Another process may have deleted the record meanwhile.
            guard let frame = OutboxFrame(in: content, at: 0), !frame.isDeleted else { continue }
            frames.append(frame)
            total += entry.length
        }
        return frames
    }

    /// Deletes the records `ids`.
    mutating func delete(_ ids: Set<UUID>) throws {
        try refresh()
        guard let descriptor else { return }
        for index in entries.indices where !entries[index].isDeleted {
            guard ids.contains(entries[index].id) else { continue }
            try descriptor.write([1], at: entries[index].offset + OutboxFrame.stateOffset)
            entries[index].isDeleted = true
            liveBytes -= entries[index].length
        }
        let deadBytes = end - Self.headerLength - liveBytes
        if deadBytes > 0, liveBytes == 0 || deadBytes > max(64 * 1024, liveBytes) {
            try rewrite(keeping: entries.filter { !$0.isDeleted })
        }
    }

    /// Deletes every record.
    mutating func deleteAll() throws {
        try refresh()
        try rewrite(keeping: [])
    }

    /// Reads the changes that other processes have made since the last call.
    mutating func refresh() throws {
        if descriptor == nil || FileDescriptor.inode(of: url) != inode {
            try reopen()
        }
        if let size = try descriptor?.status().size, size < end {
            try reopen()
        }
        guard let descriptor else { return }
        let size = try descriptor.status().size
        try refreshDeletions(descriptor)
        guard size > end else { return }
        let bytes = try descriptor.read(at: end, count: size - end)
        let base = end
        var offset = 0
        while offset < bytes.count {
            if let frame = OutboxFrame(in: bytes, at: offset) {
                add(frame, at: base + offset)
                offset += frame.length
            } else if let next = Self.nextFrame(in: bytes, after: offset) {
                damage.skippedBytes += next - offset
                offset = next
                end = base + next
            } else {
                damage.tornBytes += bytes.count - offset
                try descriptor.truncate(to: base + offset)
                break
            }
        }
    }

    /// Reads deletions by other processes of records that are live here.
    private mutating func refreshDeletions(_ descriptor: FileDescriptor) throws {
        for index in entries.indices where !entries[index].isDeleted {
            let offset = entries[index].offset + OutboxFrame.stateOffset
            // Records are usually deleted from old to new; `read` checks for the few exceptions.
            guard try descriptor.read(at: offset, count: 1) == [1] else { return }
            entries[index].isDeleted = true
            liveBytes -= entries[index].length
        }
    }

    private mutating func reopen() throws {
        let opened = try FileDescriptor(creating: url)
        let status = try opened.status()
        descriptor = opened
        inode = status.inode
        entries = []
        liveBytes = 0
        end = Self.headerLength
        let header = try opened.read(at: 0, count: Self.headerLength)
        if header.count == Self.headerLength, header.starts(with: Self.magic) {
            let stored = header[8...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            nextSequence = max(nextSequence, stored)
        } else {
            // A new file, or one whose first write was interrupted; it contains no record yet.
            try opened.truncate(to: 0)
            try opened.write(Self.magic, at: 0)
            try writeNextSequence(to: opened)
        }
    }

    private func writeNextSequence(to descriptor: FileDescriptor) throws {
        try descriptor.write(
            withUnsafeBytes(of: nextSequence.littleEndian) { Array($0) },
            at: Self.magic.count
        )
    }

    private mutating func add(_ frame: OutboxFrame, at offset: Int) {
        entries.append(
            Entry(
                id: frame.id,
                offset: offset,
                length: frame.length,
                isDeleted: frame.isDeleted,
                isImportant: frame.isImportant
            )
        )
        if !frame.isDeleted { liveBytes += frame.length }
        nextSequence = max(nextSequence, frame.sequence + 1)
        end = offset + frame.length
    }

    /// Drops the oldest unimportant records, then the oldest of all, until an eighth of the file is
    /// free.
    private mutating func makeRoom(for length: Int) throws {
        let target = maximumBytes - max(maximumBytes / 8, length)
        var kept = liveEntries
        var bytes = liveBytes
        for dropsImportant in [false, true] {
            kept.removeAll { entry in
                guard bytes > target, dropsImportant || !entry.isImportant else { return false }
                bytes -= entry.length
                droppedCount += 1
                return true
            }
        }
        try rewrite(keeping: kept)
    }

    /// Writes a new file with the records `kept` and replaces the old one with it.
    private mutating func rewrite(keeping kept: [Entry]) throws {
        guard let descriptor else { return }
        let temporary = url.appendingPathExtension("new")
        let replacement = try FileDescriptor(creating: temporary)
        try replacement.truncate(to: 0)
        try replacement.write(Self.magic, at: 0)
        try writeNextSequence(to: replacement)
        var offset = Self.headerLength
        for entry in kept {
            let bytes = try descriptor.read(at: entry.offset, count: entry.length)
            try replacement.write(bytes, at: offset)
            offset += bytes.count
        }
        try replacement.synchronize()
        try replaceFile(url, with: temporary)
        try reopen()
        try refresh()
    }

    /// The offset of the first complete frame after `offset`.
    private static func nextFrame(in bytes: [UInt8], after offset: Int) -> Int? {
        var candidate = offset + 1
        while candidate + OutboxFrame.headerLength <= bytes.count {
            if bytes[candidate] == OutboxFrame.marker[0],
                OutboxFrame(in: bytes, at: candidate) != nil
            {
                return candidate
            }
            candidate += 1
        }
        return nil
    }
}
