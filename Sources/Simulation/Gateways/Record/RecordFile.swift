import Foundation
import Synchronization

/// Accepted pushes in a file, one line each: milliseconds since 1970, device token, `apns-id` and
/// collapse id, with tabs between them.
final class RecordFile: Sendable {
    private let file: Mutex<FileHandle>

    init(path: String) throws {
        let isMade = FileManager.default.createFile(atPath: path, contents: nil)
        guard isMade, let file = FileHandle(forWritingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        self.file = Mutex(file)
    }

    func write(_ push: SimulatedPush) {
        let time = Int64(push.receivedAt.timeIntervalSince1970 * 1_000)
        let line = "\(time)\t\(push.deviceToken)\t\(push.id)\t\(push.collapseID ?? "")\n"
        file.withLock { $0.write(Data(line.utf8)) }
    }
}
