import Foundation

/// Writes a ZIP file piece by piece, without packing and without knowing sizes in advance.
///
/// APPNOTE.TXT of PKWARE, sections 4.3 and 4.5.3. Each file is followed by its checksum and size;
/// where the file begins more than 4 GiB behind the start the directory says so with ZIP64.
struct ZipWriter {
    private struct Entry {
        var name: [UInt8]
        var offset: UInt64
        var size: UInt32 = 0
        var checksum = CRC32()
    }

    private static let marker = UInt32.max
    /// The version that supports ZIP64.
    private static let version: UInt16 = 45
    /// Checksum and size follow the content; names are UTF-8.
    private static let flags: UInt16 = 0x0808
    /// January 1, 1980, the first date of the format.
    private static let date: UInt32 = 0x0021_0000

    private var entries: [Entry] = []
    private var offset: UInt64 = 0
    private var isOpen = false

    /// Ends the previous file, starts the next one and returns the bytes to write.
    mutating func begin(_ name: String) -> [UInt8] {
        var bytes = end()
        var entry = Entry(name: Array(name.utf8), offset: 0)
        entry.offset = offset
        var header: [UInt8] = []
        header.append(0x0403_4B50 as UInt32)
        header.append(Self.version)
        header.append(Self.flags)
        header.append(0 as UInt16)
        header.append(Self.date)
        header += [UInt8](repeating: 0, count: 12)
        header.append(UInt16(entry.name.count))
        header.append(0 as UInt16)
        header += entry.name
        entries.append(entry)
        isOpen = true
        offset += UInt64(header.count)
        bytes += header
        return bytes
    }

    /// Size of the current file, in bytes.
    var size: Int { entries.last.map { Int($0.size) } ?? 0 }

    /// Accounts for the next piece of the file, which is written unchanged. A file must be smaller
    /// than 4 GiB.
    mutating func note(_ content: some Collection<UInt8>) {
        guard isOpen, let last = entries.indices.last else { return }
        entries[last].checksum.add(content)
        entries[last].size += UInt32(content.count)
        offset += UInt64(content.count)
    }

    /// Ends the last file and the archive, and returns the bytes to write.
    mutating func finish() -> [UInt8] {
        let descriptor = end()
        var directory: [UInt8] = []
        for entry in entries { directory += Self.directoryEntry(entry) }
        return descriptor + directory + ending(directoryBytes: UInt64(directory.count))
    }

    private mutating func end() -> [UInt8] {
        guard isOpen, let entry = entries.last else { return [] }
        isOpen = false
        var bytes: [UInt8] = []
        bytes.append(0x0807_4B50 as UInt32)
        bytes.append(entry.checksum.value)
        bytes.append(entry.size)
        bytes.append(entry.size)
        offset += UInt64(bytes.count)
        return bytes
    }

    private static func directoryEntry(_ entry: Entry) -> [UInt8] {
        let isFar = entry.offset >= UInt64(marker)
        var bytes: [UInt8] = []
        bytes.append(0x0201_4B50 as UInt32)
        bytes.append(version)
        bytes.append(version)
        bytes.append(flags)
        bytes.append(0 as UInt16)
        bytes.append(date)
        bytes.append(entry.checksum.value)
        bytes.append(entry.size)
        bytes.append(entry.size)
        bytes.append(UInt16(entry.name.count))
        bytes.append(isFar ? 12 : 0 as UInt16)
        bytes += [UInt8](repeating: 0, count: 10)
        bytes.append(isFar ? marker : UInt32(entry.offset))
        bytes += entry.name
        if isFar {
            bytes.append(1 as UInt16)
            bytes.append(8 as UInt16)
            bytes.append(entry.offset)
        }
        return bytes
    }

    private func ending(directoryBytes: UInt64) -> [UInt8] {
        let count = UInt64(entries.count)
        let isLarge =
            offset >= UInt64(Self.marker) || directoryBytes >= UInt64(Self.marker)
            || count >= UInt64(UInt16.max)
        var bytes: [UInt8] = []
        if isLarge {
            bytes.append(0x0606_4B50 as UInt32)
            bytes.append(44 as UInt64)
            bytes.append(Self.version)
            bytes.append(Self.version)
            bytes.append(0 as UInt64)
            bytes.append(count)
            bytes.append(count)
            bytes.append(directoryBytes)
            bytes.append(offset)
            bytes.append(0x0706_4B50 as UInt32)
            bytes.append(0 as UInt32)
            bytes.append(offset + directoryBytes)
            bytes.append(1 as UInt32)
        }
        bytes.append(0x0605_4B50 as UInt32)
        bytes.append(0 as UInt32)
        bytes.append(isLarge ? .max : UInt16(count))
        bytes.append(isLarge ? .max : UInt16(count))
        bytes.append(isLarge ? .max : UInt32(directoryBytes))
        bytes.append(isLarge ? .max : UInt32(offset))
        bytes.append(0 as UInt16)
        return bytes
    }
}

extension [UInt8] {
    /// The bytes of a number in little-endian order.
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

/// The checksum of ZIP files (ISO 3309, reflected, polynomial 0xEDB88320).
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
    }

    private var state = UInt32.max

    var value: UInt32 { ~state }

    mutating func add(_ bytes: some Collection<UInt8>) {
        for byte in bytes {
            state = Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
        }
    }
}
