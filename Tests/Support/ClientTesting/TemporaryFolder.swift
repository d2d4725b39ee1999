import Foundation

/// A folder that disappears with the object.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // What is left behind in the temporary folder does no harm.
        try? FileManager.default.removeItem(at: url)
    }
}
