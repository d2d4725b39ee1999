import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// An open file, closed with its last reference; reads and writes at given offsets.
final class FileDescriptor {
    private let descriptor: Int32
    private let path: String

    /// Opens `url` for reading and writing, and creates it if it is missing.
    init(creating url: URL) throws {
        path = url.path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("opened", path) }
    }

    deinit {
        close(descriptor)
    }

    /// The identity and size of a file.
    struct Status: Equatable {
        var inode: UInt64
        var size: Int
    }

    /// The status of the open file.
    func status() throws -> Status {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw Self.failure("examined", path) }
        return Status(inode: UInt64(information.st_ino), size: Int(information.st_size))
    }

    /// The inode of the file that is now at the path, which differs after another process has
    /// replaced the file; `nil` if there is none.
    static func inode(of url: URL) -> UInt64? {
        var information = stat()
        guard stat(url.path, &information) == 0 else { return nil }
        return UInt64(information.st_ino)
    }

    /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
    func read(at offset: Int, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var total = 0
        while total < count {
            let amount = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: total),
                    count - total,
                    off_t(offset + total)
                )
            }
            if amount < 0 {
                guard errno == EINTR else { throw Self.failure("read", path) }
            } else if amount == 0 {
                break
            } else {
                total += amount
            }
        }
        bytes.removeLast(count - total)
        return bytes
    }

    /// Writes all `bytes` at `offset`.
    func write(_ bytes: [UInt8], at offset: Int) throws {
        var total = 0
        while total < bytes.count {
            let amount = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress?.advanced(by: total),
                    bytes.count - total,
                    off_t(offset + total)
                )
            }
            if amount < 0 {
                guard errno == EINTR else { throw Self.failure("written", path) }
            } else {
                total += amount
            }
        }
    }

    /// Truncates the file to `size` bytes.
    func truncate(to size: Int) throws {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw Self.failure("cut", path) }
    }

    /// Waits until the file's contents have reached the disk.
    func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw Self.failure("synchronised", path) }
    }

    /// Takes the advisory lock of the file, waiting for other processes.
    func lockExclusively() throws {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure("locked", path) }
        }
    }

    /// Releases the advisory lock.
    func unlock() {
        flock(descriptor, LOCK_UN)
    }

    private static func failure(_ verb: String, _ path: String) -> NoroshiError {
        NoroshiError(
            code: .storage,
            message: "\(path) could not be \(verb): \(String(cString: strerror(errno)))"
        )
    }
}

/// The hardware model, such as `iPhone17,1` or `Mac14,2`; `nil` if the system has none.
///
/// - Parameter read: What the system's `sysctl` has under a name, as text of C.
func hardwareModel(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    read: (String) -> [UInt8]? = systemControl
) -> String? {
    // The simulator's own hardware is the Mac's.
    if let simulated = environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
    #if os(macOS)
    let name = "hw.model"
    #else
    let name = "hw.machine"
    #endif
    guard let bytes = read(name)?.prefix(while: { $0 != 0 }), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
}

private func systemControl(_ name: String) -> [UInt8]? {
    #if canImport(Darwin)
    var size = 0
    guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
    return bytes
    #else
    return nil
    #endif
}

/// Atomically replaces `destination` with the file `source`.
func replaceFile(_ destination: URL, with source: URL) throws {
    guard rename(source.path, destination.path) == 0 else {
        throw NoroshiError(
            code: .storage,
            message: "\(destination.path) could not be replaced: "
                + String(cString: strerror(errno))
        )
    }
}
