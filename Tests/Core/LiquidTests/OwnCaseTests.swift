import Foundation
import Liquid
import Testing

@Suite("Cases of our own")
struct OwnCaseTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test(
        "every case renders what it expects",
        arguments: ["tags", "filters", "errors", "messaging", "limits"]
    )
    func caseFile(name: String) throws {
        let path = Self.folder.appending(path: "Cases/\(name).json")
        let file = try LiquidCaseFile(json: Array(Data(contentsOf: path)))
        let report = file.check()
        for failure in report.failures {
            Issue.record("\(failure.name): \(failure.message)")
        }
        #expect(report.passed == file.count)
        #expect(file.count > 10)
    }

    @Test("a case that expects something else is reported by name")
    func failingCase() throws {
        let json = #"{"tests":[{"name":"off by one","template":"a","result":"b"},["0","%Y","1"]]}"#
        let report = try LiquidCaseFile(json: Array(json.utf8)).check()
        #expect(report.passed == 0)
        #expect(report.failures.map(\.name) == ["off by one", #"["0","%Y"]"#])
    }

    @Test("what the fuzzer found interesting neither crashes nor escapes a limit")
    func corpus() throws {
        let path = Self.folder.appending(path: "Corpus/found.base64")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 100)
        for line in lines {
            let input = try #require(Data(base64Encoded: String(line)))
            guard let choice = input.first else { continue }
            LiquidFuzzer.run(choice: choice, template: Array(input.dropFirst()))
        }
    }
}
