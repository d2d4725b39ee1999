import Foundation

/// The counts in `audience-expected.json` for some sizes of the synthetic audience.
struct ExpectedCounts {
    private struct File: Decodable {
        struct Size: Decodable {
            var counts: [String: Int]
        }

        var sizes: [String: Size]
    }

    private let file: File

    init(file path: String) throws {
        file = try JSONDecoder().decode(
            File.self,
            from: Data(contentsOf: URL(fileURLWithPath: path))
        )
    }

    func counts(users: Int, events: Int) throws -> [String: Int] {
        guard let size = file.sizes["\(users) users, \(events) events"] else {
            throw BenchError(
                "there are expected counts for " + file.sizes.keys.sorted().joined(separator: "; ")
            )
        }
        return size.counts
    }
}
