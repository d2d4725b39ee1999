/// The output of the `liquid` commands.
package enum LiquidCommand {
    package struct Result: Sendable {
        package let text: String
        package let isSuccess: Bool
    }

    /// Renders a template with the variables of a JSON object. `${name}` reads its member `profile`
    /// if it has one.
    package static func render(
        template source: String,
        named name: String,
        data: [UInt8],
        now: LiquidTime,
        mode: Template.Mode = .lax
    ) -> Result {
        let variables: LiquidObject
        do throws(LiquidError) {
            guard case .object(let object) = try LiquidJSON.parse(data) else {
                return Result(text: "the data is a JSON object", isSuccess: false)
            }
            variables = object
        } catch {
            let place = "\(error.line ?? 1):\(error.column ?? 1)"
            return Result(text: "data:\(place): \(error.message)", isSuccess: false)
        }
        do throws(LiquidError) {
            let template = try Template(parsing: source, mode: mode)
            var options = RenderOptions { now }
            options.errors = .raise
            let outcome = try template.render(
                LiquidCaseVariables(data: variables, attributes: variables["profile"]?.object),
                options: options
            )
            switch outcome {
            case .rendered(let result): return Result(text: result.text, isSuccess: true)
            case .aborted(let reason): return Result(text: "aborted: \(reason)", isSuccess: true)
            }
        } catch {
            return Result(text: describe(error, in: source, named: name), isSuccess: false)
        }
    }

    /// Runs a case file: prints the name of every failing case, then `N passed, N failed`.
    package static func check(
        file: [UInt8],
        dialect: Template.Dialect = .standard
    ) -> Result {
        do throws(LiquidError) {
            let report = try LiquidCaseFile(json: file).check(dialect: dialect)
            var lines = report.failures.map { "\($0.name): \($0.message)" }
            lines.append("\(report.passed) passed, \(report.failures.count) failed")
            return Result(
                text: lines.joined(separator: "\n"),
                isSuccess: report.failures.isEmpty
            )
        } catch {
            return Result(text: error.message, isSuccess: false)
        }
    }

    /// The error with its location, the affected line and a caret below.
    package static func describe(
        _ error: LiquidError,
        in source: String,
        named name: String
    ) -> String {
        guard let line = error.line, let column = error.column, error.templateName == nil else {
            return "\(name): \(error.text)"
        }
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let text = line <= lines.count ? String(lines[line - 1]) : ""
        // Keep tabs, so that the caret lines up with the text above.
        let indent = text.prefix(column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        return """
            \(name):\(line):\(column): \(error.text(withLines: false))
            \(text)
            \(indent)^
            """
    }
}
