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

    func write(_ push: SimulatedPush) throws {
        let time = RecordText.whole(push.receivedAt.timeIntervalSince1970 * 1_000)
        // The sender chose the collapse id; it must not start a new field or line.
        let collapseID = (push.collapseID ?? "").map { $0.isASCII && $0 < " " ? " " : $0 }
        let line = "\(time)\t\(push.deviceToken)\t\(push.id)\t\(String(collapseID))\n"
        try file.withLock { try $0.write(contentsOf: Data(line.utf8)) }
    }
}
