import Foundation

/// The simulator's own record of accepted pushes, read as it grows.
struct AcceptedRecord {
    /// The pushes to one device.
    struct Device {
        /// Every `apns-id`; a repeated push replaced itself.
        var ids: Set<String> = []
        var collapseIDs: Set<String> = []

        /// Number of notifications on the device: those with the same collapse id replace each
        /// other.
        var shown: Int { collapseIDs.count }
    }

    private let file: FileHandle
    private(set) var lines = 0
    private(set) var devices: [String: Device] = [:]
    private var rest = Data()

    init(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BenchError("the simulator's record \(path) cannot be read")
        }
        self.file = file
    }

    /// Reads the lines written since the last call.
    mutating func follow() throws {
        rest.append(try file.readToEnd() ?? Data())
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[start..<end], as: UTF8.self)
            start = rest.index(after: end)
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 4 else { throw BenchError("a line of the record is \(line)") }
            lines += 1
            let token = String(fields[1])
            devices[token, default: Device()].ids.insert(String(fields[2]))
            devices[token]?.collapseIDs.insert(String(fields[3]))
        }
        // A slice would retain the memory before it.
        rest = Data(rest[start...])
    }
}
