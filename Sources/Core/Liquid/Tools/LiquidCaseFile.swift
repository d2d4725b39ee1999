import Reasons

/// A file of cases: templates, their data and their expected output, as JSON.
///
/// Three forms are supported. A case is an object with `name`, `template`, `data` and `result` (or
/// `results`, or `invalid`), with its parsing mode among its `tags` or in `mode`; or a row of a
/// date, a format and the expected text of the `date` filter. Cases of the messaging dialect also
/// have `attributes`, `content_blocks`, `fetched`, and may expect `aborted` or an `error`.
package struct LiquidCaseFile: Sendable {
    package struct Failure: Sendable {
        package let name: String
        package let message: String
    }

    package struct Report: Sendable {
        package var passed = 0
        package var failures: [Failure] = []
    }

    private let cases: [LiquidValue]

    /// Throws a `LiquidError` if the text is not JSON or has no list `tests`.
    package init(json: [UInt8]) throws(LiquidError) {
        let value = try LiquidJSON.parse(json)
        guard case .object(let file) = value, case .array(let cases)? = file["tests"] else {
            throw LiquidError(
                .argument,
                .verbatim,
                ["text": "a case file is an object with a list named 'tests'"]
            )
        }
        self.cases = cases
    }

    package var count: Int { cases.count }

    /// Runs all cases. `dialect` applies to cases that name none.
    package func check(dialect: Template.Dialect = .standard) -> Report {
        var report = Report()
        for (index, value) in cases.enumerated() {
            switch value {
            case .array(let row) where row.count == 3:
                note(LiquidDateCase(row: row).failure(dialect), in: &report)
            case .object(let object):
                note(LiquidCase(object, dialect: dialect).failure(), in: &report)
            default:
                note(Failure(name: "case \(index + 1)", message: "is no case"), in: &report)
            }
        }
        return report
    }

    private func note(_ failure: Failure?, in report: inout Report) {
        if let failure {
            report.failures.append(failure)
        } else {
            report.passed += 1
        }
    }
}

/// `[date, format, text]`
struct LiquidDateCase {
    private let input: LiquidValue
    private let format: LiquidValue
    private let expected: LiquidValue

    init(row: [LiquidValue]) {
        input = row[0]
        format = row[1]
        expected = row[2]
    }

    func failure(_ dialect: Template.Dialect) -> LiquidCaseFile.Failure? {
        let data = LiquidObject([(LiquidName("x"), input), (LiquidName("f"), format)])
        var options = RenderOptions { LiquidTime(seconds: 1_783_189_800) }
        options.errors = .inlineWithoutLines
        let name = LiquidJSON.text(.array([input, format]))
        do throws(LiquidError) {
            let template = try Template(parsing: "{{ x | date: f }}", dialect: dialect)
            guard case .rendered(let result) = try template.render(data, options: options),
                case .string(let expected) = expected
            else { return LiquidCaseFile.Failure(name: name, message: "is no date case") }
            if result.text == expected { return nil }
            return LiquidCaseFile.Failure(
                name: name,
                message: "expected '\(expected)', got '\(result.text)'"
            )
        } catch {
            return LiquidCaseFile.Failure(name: name, message: error.text)
        }
    }
}

extension LiquidJSON {
    static func text(_ value: LiquidValue) -> String {
        String(decoding: bytes(value), as: UTF8.self)
    }
}
