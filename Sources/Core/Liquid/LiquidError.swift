import Reasons

/// An error in a template, with its location.
package struct LiquidError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case syntax
        case argument
        case zeroDivision
        case floatDomain
        case stackLevel
        case fileSystem
        case disabled
        case undefinedVariable
        case undefinedFilter
        /// A limit of `LiquidLimits` was reached: rendering stops.
        case limit
        /// The message needs more work than `LiquidLimits.steps`: rendering stops.
        case workLimit
        /// Rendering took longer than `LiquidLimits.time`: it stops.
        case timeLimit
        /// `abort_message` was called: rendering stops.
        case aborted
        /// Connected Content must be fetched before rendering can go on.
        case suspended
    }

    package var kind: Kind
    package var reason: Reason
    /// The part of the template that a strict parser was reading, as the reference quotes it.
    package var markup: String?
    /// The template that contains the error, if it is not the one being rendered.
    package var templateName: String?
    /// From 1; `nil` if the location is unknown.
    package var line: Int?
    /// From 1, in characters; `nil` if the location is unknown.
    package var column: Int?

    package init(_ kind: Kind, _ reason: Reason) {
        self.kind = kind
        self.reason = reason
    }

    package init(
        _ kind: Kind,
        _ code: LiquidReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.init(kind, Reason(code, arguments))
    }

    package var message: String { reason.description }

    /// The error in the reference's wording: `Liquid error (line 2): divided by 0`.
    package var text: String { text(withLines: true) }

    package func text(withLines: Bool) -> String { whole(withLines: withLines).description }

    /// The error with its place, for whoever puts it into words.
    package var whole: Reason { whole(withLines: true) }

    private func whole(withLines: Bool) -> Reason {
        var reason = reason
        if let markup {
            reason = Reason(
                LiquidReason.quoted,
                ["reason": .reason(reason), "markup": .text(markup)]
            )
        }
        let isSyntax = kind == .syntax
        guard withLines, let line else {
            let code = isSyntax ? LiquidReason.syntax : .error
            return Reason(code, ["reason": .reason(reason)])
        }
        guard let templateName else {
            let code = isSyntax ? LiquidReason.syntaxOnLine : .errorOnLine
            return Reason(code, ["reason": .reason(reason), "line": "\(line)"])
        }
        return Reason(
            isSyntax ? LiquidReason.syntaxInTemplate : .errorInTemplate,
            ["reason": .reason(reason), "line": "\(line)", "name": .text(templateName)]
        )
    }

    /// Whether rendering continues after this error.
    var isRecoverable: Bool {
        switch kind {
        case .limit, .workLimit, .timeLimit, .aborted, .suspended: false
        default: true
        }
    }

    func quoting(_ markup: String) -> LiquidError {
        var error = self
        error.markup = markup
        return error
    }

    /// Adds the location, unless an inner template has done so.
    func located(at offset: Int, in source: [UInt8], named name: String?) -> LiquidError {
        guard line == nil else { return self }
        var error = self
        let place = SourcePlace(offset: offset, in: source)
        error.line = place.line
        error.column = place.column
        if error.templateName == nil { error.templateName = name }
        return error
    }
}

/// Line and column of a byte offset.
struct SourcePlace {
    let line: Int
    let column: Int

    init(offset: Int, in source: [UInt8]) {
        var line = 1
        var column = 1
        for byte in source.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0b1100_0000 != 0b1000_0000 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}
