import Reasons

/// One case of a case file.
struct LiquidCase {
    private let object: LiquidObject
    private let dialect: Template.Dialect
    let name: String

    init(_ object: LiquidObject, dialect: Template.Dialect) {
        self.object = object
        self.dialect = object.text("dialect").flatMap { Template.Dialect(rawValue: $0) } ?? dialect
        name = object.text("name") ?? "a case without a name"
    }

    /// The failure of the case; `nil` if it passes.
    func failure() -> LiquidCaseFile.Failure? {
        problem().map { LiquidCaseFile.Failure(name: name, message: $0) }
    }

    private var mode: Template.Mode {
        if let mode = object.text("mode") { return Template.Mode(rawValue: mode) ?? .lax }
        let tags = object.texts("tags")
        return tags.contains("strict2") ? .strict2 : tags.contains("strict") ? .strict : .lax
    }

    private var expected: [String] {
        object.text("result").map { [$0] } ?? object.texts("results")
    }

    private func problem() -> String? {
        guard let source = object.text("template") else { return "has no template" }
        do throws(LiquidError) {
            let template = try Template(
                parsing: source,
                name: object.text("template_name"),
                mode: mode,
                dialect: dialect
            )
            return judge(try render(template))
        } catch {
            return judge(error)
        }
    }

    private func render(_ template: Template) throws(LiquidError) -> RenderOutcome {
        let present = object["now"].flatMap { Numbers.rangeEnd($0) } ?? 1_783_189_800
        var options = RenderOptions { LiquidTime(seconds: present) }
        options.errors = isInvalid || object["error"] != nil ? .raise : .inline
        if object["render_errors"].map(\.isTruthy) == false { options.errors = .raise }
        options.templates = LiquidCaseTemplates(
            templates: object.object("templates"),
            blocks: object.object("content_blocks"),
            mode: mode,
            dialect: dialect
        )
        if let zone = object.text("time_zone").flatMap({ LiquidTimeZone(identifier: $0) }) {
            options.timeZone = zone
        }
        setLimits(&options.limits)
        let fetched = object.object("fetched")
        let catalogs = object.object("catalogs")
        let selections = object.object("selections")
        return try template.render(
            LiquidCaseVariables(
                data: object.object("data"),
                attributes: object["attributes"].flatMap(\.object)
            ),
            options: options
        ) { (question) throws(LiquidError) in
            let request: ConnectedContentRequest
            switch question {
            case .connectedContent(let wanted): request = wanted
            case .catalogItems(let wanted):
                let items = catalogs.object(wanted.catalog)
                return .catalogItems(wanted.ids.compactMap { items[$0] })
            case .catalogSelection(let wanted):
                let items = catalogs.object(wanted.catalog)
                let ids = selections.object(wanted.catalog).texts(wanted.selection)
                return .catalogItems(ids.compactMap { items[$0] })
            }
            let key = request.method == "GET" ? request.url : "\(request.method) \(request.url)"
            guard case .object(let answer)? = fetched[key] else {
                throw LiquidError(
                    .argument,
                    .verbatim,
                    ["text": "the case has no answer for \(key)"]
                )
            }
            return .connectedContent(
                ConnectedContentResponse(
                    status: answer["status"].flatMap { Numbers.rangeEnd($0) } ?? 200,
                    body: Array((answer.text("body") ?? "").utf8)
                )
            )
        }
    }

    private func setLimits(_ limits: inout LiquidLimits) {
        let wanted = object.object("limits")
        func set(_ name: String, _ limit: inout Int) {
            if case .int(let number)? = wanted[name] { limit = number }
        }
        set("steps", &limits.steps)
        set("output_bytes", &limits.outputBytes)
        set("elements", &limits.elements)
        set("nesting", &limits.nesting)
        set("scopes", &limits.scopes)
        set("fetches", &limits.fetches)
    }

    private var isInvalid: Bool { object["invalid"]?.isTruthy ?? false }

    private func judge(_ outcome: RenderOutcome) -> String? {
        switch outcome {
        case .aborted(let reason):
            if object.text("aborted") == reason.description { return nil }
            return "was aborted: \(reason)"
        case .rendered(let result):
            if isInvalid { return "expected an error, got '\(result.text)'" }
            if let error = object.text("error") {
                return "expected '\(error)', got '\(result.text)'"
            }
            if let reason = object.text("aborted") {
                return "expected to be aborted with '\(reason)', got '\(result.text)'"
            }
            if !expected.contains(where: { $0.hasSameBytes(as: result.text) }) {
                return "expected '\(expected.joined(separator: "' or '"))', got '\(result.text)'"
            }
            let extras = object.object("extras")
            let noted = LiquidObject(result.extras.map { (LiquidName($0.key), .string($0.value)) })
            if extras.count > 0, LiquidJSON.text(.object(extras)) != LiquidJSON.text(.object(noted))
            {
                return "noted \(LiquidJSON.text(.object(noted)))"
            }
            return nil
        }
    }

    private func judge(_ error: LiquidError) -> String? {
        if isInvalid { return nil }
        guard let expected = object.text("error") else { return "failed: \(error.text)" }
        guard expected == error.text else { return "expected '\(expected)', got '\(error.text)'" }
        if case .int(let column)? = object["column"], column != error.column {
            return "expected the error in column \(column), got \(error.column ?? 0)"
        }
        return nil
    }
}

/// The variables of a case.
struct LiquidCaseVariables: LiquidVariables {
    let data: LiquidObject
    /// The values of `${name}`; the variables themselves if the case has none.
    let attributes: LiquidObject?

    func value(named name: LiquidName) -> LiquidValue? { data[name] }

    func attribute(named name: LiquidName) -> LiquidValue? { attributes?[name] ?? data[name] }
}

/// The partials of a case.
struct LiquidCaseTemplates: LiquidTemplateLoader {
    let templates: LiquidObject
    let blocks: LiquidObject
    let mode: Template.Mode
    let dialect: Template.Dialect

    func template(named name: String) throws(LiquidError) -> Template? {
        try parsed(templates.text(name), name)
    }

    func contentBlock(named name: String) throws(LiquidError) -> Template? {
        try parsed(blocks.text(name), name)
    }

    private func parsed(_ source: String?, _ name: String) throws(LiquidError) -> Template? {
        guard let source else { return nil }
        return try Template(parsing: source, name: name, mode: mode, dialect: dialect)
    }
}

extension LiquidValue {
    var object: LiquidObject? {
        if case .object(let object) = self { return object }
        return nil
    }
}

extension LiquidObject {
    func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { return text }
        return nil
    }

    func texts(_ name: String) -> [String] {
        guard case .array(let elements)? = self[name] else { return [] }
        return elements.compactMap { element in
            if case .string(let text) = element { return text }
            return nil
        }
    }

    func object(_ name: String) -> LiquidObject { self[name]?.object ?? LiquidObject([]) }
}
