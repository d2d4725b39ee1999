import Foundation
import NoroshiWire
import Testing

@testable import ContentFolders

@Suite("Values in a file of YAML")
struct YAMLScalarTests {
    @Test("without quotes a number is what JSON takes for one, and everything else a text")
    func numbers() throws {
        let parts = ["", "-", "+", "0", "12", ".", ".5", "-1", "e", "E3", "e+1", "x", "_", "٣"]
        var texts: Set = ["NO", "09:00", "0x1F", "1_000", "1e400", "-0.5e-3", "infinity"]
        for first in parts {
            for second in parts {
                for third in parts { texts.insert(first + second + third) }
            }
        }
        // These are signs of YAML's own.
        for text in texts where text != "" && text != "-" && !text.hasPrefix("- ") {
            let read = try YAMLReader("value: \(text)", path: "a.yaml").value
            let isNumber =
                switch read["value"] {
                case .integer, .number: true
                default: false
                }
            #expect(isNumber == Self.isNumber(text), "\(text)")
            if !isNumber { #expect(read["value"] == .string(text)) }
        }
    }

    /// By Foundation's reader of JSON.
    private static func isNumber(_ text: String) -> Bool {
        let data = Data("[\(text)]".utf8)
        let list = try? JSONSerialization.jsonObject(with: data) as? [Any]
        guard let list, list.count == 1, let number = list.first as? NSNumber else { return false }
        return number.doubleValue.isFinite
    }
}
