import Foundation

/// The simulator's own record of what it accepted, read as it grows.
struct AcceptedRecord {
    /// What one device was sent.
    struct Device {
        /// Every `apns-id`; one that came twice replaced itself.
        var ids: Set<String> = []
        var collapseIDs: Set<String> = []
        var times = 0

        /// How many notifications stand on the device: those of one collapse id replace each
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

    /// Takes in what has been written since the last time.
    mutating func follow() throws {
        rest.append(try file.readToEnd() ?? Data())
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            rest.removeSubrange(rest.startIndex...end)
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 4 else { throw BenchError("a line of the record is \(line)") }
            lines += 1
            devices[String(fields[1]), default: Device()].times += 1
            devices[String(fields[1])]?.ids.insert(String(fields[2]))
            devices[String(fields[1])]?.collapseIDs.insert(String(fields[3]))
        }
        // The cut-off front keeps its memory otherwise.
        rest = Data(rest)
    }
}
