import Foundation
import Liquid
import Testing

/// Case files of others, in `../shared/data` beside the repository or where
/// `NOROSHI_SHARED_DATA` says. They are read there and never committed.
enum SharedCases {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["NOROSHI_SHARED_DATA"] {
            return URL(filePath: path)
        }
        return URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "../shared/data").standardizedFileURL
    }()

    static func exist(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }

    static func read(_ name: String) throws -> LiquidCaseFile {
        try LiquidCaseFile(json: Array(Data(contentsOf: folder.appending(path: name))))
    }
}

@Suite("Cases of other engines' test suites")
struct SharedCaseTests {
    @Test(
        "every case renders as the reference renders it",
        .enabled("../shared/data is not there") {
            SharedCases.exist("liquid-cases.json")
        },
        arguments: ["liquid-cases.json", "liquid-shopify-cases.json", "liquid-dates.json"],
        [Template.Dialect.standard, .messaging]
    )
    func sharedFile(name: String, dialect: Template.Dialect) throws {
        let file = try SharedCases.read(name)
        let report = file.check(dialect: dialect)
        for failure in report.failures {
            Issue.record("\(failure.name): \(failure.message)")
        }
        #expect(report.passed == file.count)
        #expect(report.passed > 400)
    }
}
