import Crypto
import Foundation
import Reasons

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is written under another name and gets its own when all of it is on the disk.
final class FactFile {
    private let path: String
    private let descriptor: CInt
    private var hash = SHA256()
    private(set) var bytes = 0
    private var isOpen = true

    init(creating path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.problem(path) }
    }

    deinit {
        if isOpen { close(descriptor) }
    }

    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { buffer in
            hash.update(bufferPointer: UnsafeRawBufferPointer(buffer))
            bytes += buffer.count
            var rest = UnsafeRawBufferPointer(buffer)
            while !rest.isEmpty, let start = rest.baseAddress {
                #if canImport(Glibc)
                let count = Glibc.write(descriptor, start, rest.count)
                #else
                let count = Darwin.write(descriptor, start, rest.count)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.problem(path) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Gives the file its name.
    ///
    /// - Returns: The checksum of what is in it.
    func finish(as name: String) throws -> String {
        guard fsync(descriptor) == 0 else { throw Self.problem(path) }
        close(descriptor)
        isOpen = false
        guard rename(path, name) == 0 else { throw Self.problem(name) }
        try Self.keepNames(in: URL(filePath: name).deletingLastPathComponent().path)
        return Self.text(hash.finalize())
    }

    /// Takes the names of a folder to the disk.
    private static func keepNames(in folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw problem(folder) }
    }

    static func problem(_ path: String) -> FactExportProblem {
        FactExportProblem(
            .system,
            ["path": .text(path), "reason": .text(String(cString: strerror(errno)))]
        )
    }

    static func text(_ digest: SHA256.Digest) -> String {
        digest.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// Keeps a second writer out of a folder, until its process ends.
final class FactFolderLock {
    private let descriptor: CInt

    init(_ folder: URL) throws {
        let path = folder.appending(path: ".lock").path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FactFile.problem(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FactExportProblem(.inUse, ["path": .text(folder.path)])
        }
    }

    deinit { close(descriptor) }
}
