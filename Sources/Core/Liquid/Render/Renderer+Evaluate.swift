import Reasons

extension Renderer {
    mutating func evaluate(_ expression: Expression) throws(LiquidError) -> LiquidValue {
        switch expression {
        case .literal(let value): return value
        case .variable(let path): return try value(at: path)
        case .range(let first, let last):
            let first = try evaluate(first)
            let last = try evaluate(last)
            note(bytes: first.textBytes + last.textBytes)
            return .range(
                LiquidRange(
                    first: try Numbers.rangeInteger(first),
                    last: try Numbers.rangeInteger(last)
                )
            )
        case .blank, .empty: return .string("")
        case .nested(let output): return try value(of: output)
        }
    }

    /// The value of an output after its filters.
    mutating func value(of output: Output) throws(LiquidError) -> LiquidValue {
        var value = try evaluate(output.expression)
        for call in output.filters {
            var arguments = FilterArguments()
            for argument in call.arguments { arguments.append(try evaluate(argument)) }
            if !call.keywords.isEmpty { arguments.append(try keywords(of: call)) }
            guard let filter = call.filter else {
                guard !options.isStrictAboutFilters else {
                    throw LiquidError(.undefinedFilter, .undefinedFilter, ["name": "\(call.name)"])
                }
                continue
            }
            guard arguments.count >= filter.minimum, arguments.count <= filter.maximum else {
                throw filter.wrongNumber(given: arguments.count)
            }
            var bytes = value.textBytes + arguments.textBytes
            value = try filter.apply(&self, value, arguments)
            if case .string(let text) = value {
                try allow(bytes: text.utf8.count)
                bytes += text.utf8.count
            }
            try spend(1 + arguments.count + (bytes >> LiquidLimits.bytesShift))
        }
        return value
    }

    private mutating func keywords(of call: FilterCall) throws(LiquidError) -> LiquidValue {
        var pairs: [(name: LiquidName, value: LiquidValue)] = []
        for keyword in call.keywords {
            let value = try evaluate(keyword.value)
            try spend(1)
            // A hash created here may be nested in another one, and so on. Values are traversed
            // recursively, so their depth is limited where they grow.
            guard try depth(of: value) < options.limits.nesting else {
                throw LiquidError(.limit, .nestingLimit)
            }
            pairs.append((keyword.name, value))
        }
        return .object(LiquidObject(pairs))
    }

    mutating func variable(_ name: LiquidName) throws(LiquidError) -> LiquidValue {
        if scope.isLarge { try spend(scope.names / Scope.namesPerStep) }
        if let value = scope.find(name) { return value }
        if let value = variables.value(named: name) { return value }
        if name == Self.selfName {
            return .scope(LiquidScopeReference(depth: outerScopes.count))
        }
        return try undefined(name)
    }

    private static let selfName = LiquidName("self")

    private func undefined(_ name: LiquidName) throws(LiquidError) -> LiquidValue {
        guard options.isStrictAboutVariables else { return .null }
        throw LiquidError(.undefinedVariable, .undefinedVariable, ["name": "\(name.text)"])
    }

    private mutating func value(at path: VariablePath) throws(LiquidError) -> LiquidValue {
        var value: LiquidValue
        switch path.root {
        case .name(let name):
            value = try variable(name)
        case .attribute(let name):
            if let attribute = variables.attribute(named: name) {
                value = attribute
            } else {
                value = try undefined(name)
            }
        case .member(let name, let group):
            if let member = member(name, of: group) {
                value = member
            } else if let member = property(name, of: try variable(group)) {
                value = member
            } else {
                value = try undefined(name)
            }
        case .contentBlock(let name):
            value = .string(try contentBlock(name))
        case .computed(let expression):
            let name = try evaluate(expression)
            guard case .string(let text) = name else { return .null }
            value = try variable(LiquidName(text))
        case .nested(let output):
            value = try self.value(of: output)
        }
        if path.steps.count > Self.stepsOfUsualPath { try spend(path.steps.count) }
        for step in path.steps {
            switch step {
            case .key(let key):
                if case .loop(let reference) = value {
                    value = loopValue(reference, key.loopField)
                } else if let property = property(key.name, of: value) {
                    value = property
                } else if let command = key.command, let result = try run(command, on: value) {
                    value = result
                } else {
                    return try undefined(key.name)
                }
            case .index(let expression):
                let index = try evaluate(expression)
                guard let element = element(index, of: value) else {
                    return try undefined(LiquidName(plainText(index)))
                }
                value = element
            }
        }
        return value
    }

    /// A property by name; `nil` if the value has none with that name.
    mutating func property(_ name: LiquidName, of value: LiquidValue) -> LiquidValue? {
        switch value {
        case .object(let object): return object[name]
        case .drop(let drop): return drop.value(named: name)
        case .loop(let reference): return loopValue(reference, LoopField(rawValue: name.text))
        case .scope(let reference): return scopeValue(reference, name)
        default: return nil
        }
    }

    mutating func element(_ index: LiquidValue, of value: LiquidValue) -> LiquidValue? {
        switch (value, index) {
        case (_, .string(let name)):
            return property(LiquidName(name), of: value)
        case (.array(let elements), .int(let position)):
            let position = position < 0 ? position + elements.count : position
            return elements.indices.contains(position) ? elements[position] : .null
        case (.object, .int):
            return .null
        case (.drop(let drop), .int(let position)):
            guard let elements = drop.elements else { return nil }
            return element(.int(position), of: .array(elements))
        default:
            return nil
        }
    }

    private mutating func scopeValue(
        _ reference: LiquidScopeReference,
        _ name: LiquidName
    ) -> LiquidValue? {
        let scope =
            reference.depth < outerScopes.count ? outerScopes[reference.depth] : self.scope
        note(steps: scope.names / Scope.namesPerStep)
        return scope.find(name) ?? variables.value(named: name)
    }

    private mutating func run(
        _ command: PathKey.Command,
        on value: LiquidValue
    ) throws(LiquidError) -> LiquidValue? {
        switch command {
        case .size:
            try spend(bytes: value.textBytes)
            return size(of: value).map { .int($0) }
        case .first: return first(of: value)
        case .last: return last(of: value)
        }
    }

    func size(of value: LiquidValue) -> Int? {
        switch value {
        case .string(let text): text.unicodeScalars.count
        case .array(let elements): elements.count
        case .object(let object): object.count
        case .range(let range): range.count
        case .drop(let drop): drop.elements?.count
        // The reference returns the size of its machine's integers, in bytes.
        case .int: 8
        case .big(let number): number.size
        default: nil
        }
    }

    func first(of value: LiquidValue) -> LiquidValue? {
        switch value {
        case .string(let text):
            return .string(text.unicodeScalars.first.map { String($0) } ?? "")
        case .array(let elements): return elements.first ?? .null
        case .object(let object):
            guard let name = object.names.first else { return .null }
            return .array([.string(name.text), object.values[0]])
        case .range(let range): return .int(range.first)
        case .drop(let drop): return drop.elements.map { $0.first ?? .null }
        default: return nil
        }
    }

    func last(of value: LiquidValue) -> LiquidValue? {
        switch value {
        case .string(let text): .string(text.unicodeScalars.last.map { String($0) } ?? "")
        case .array(let elements): elements.last ?? .null
        case .range(let range): .int(range.last)
        case .drop(let drop): drop.elements.map { $0.last ?? .null }
        default: nil
        }
    }

    private func loopValue(_ reference: LiquidLoopReference, _ field: LoopField?) -> LiquidValue {
        guard let field, let loop = loopState(reference) else { return .null }
        switch field {
        case .index: return .int(loop.index + 1)
        case .index0: return .int(loop.index)
        case .rindex: return .int(loop.length - loop.index)
        case .rindex0: return .int(loop.length - loop.index - 1)
        case .first: return .bool(loop.index == 0)
        case .last: return .bool(loop.index == loop.length - 1)
        case .length: return .int(loop.length)
        case .name where loop.columns == nil: return .string(loop.name)
        case .parentloop where loop.columns == nil:
            guard let parent = loop.parent, parent < loops.count else { return .null }
            return .loop(
                LiquidLoopReference(depth: parent, generation: loops[parent].generation)
            )
        case .col where loop.columns != nil: return .int(loop.column)
        case .col0 where loop.columns != nil: return .int(loop.column - 1)
        case .row where loop.columns != nil: return .int(loop.row)
        case .columnFirst where loop.columns != nil: return .bool(loop.column == 1)
        case .columnLast where loop.columns != nil: return .bool(loop.column == loop.columns)
        default: return .null
        }
    }
}

extension Renderer {
    private static let stepsOfUsualPath = 8

    /// A member of a group, converted from the caller's data. Lists and hashes are converted once
    /// per render.
    private mutating func member(_ name: LiquidName, of group: LiquidName) -> LiquidValue? {
        for member in members where member.name == name && member.group == group {
            return member.value
        }
        guard let value = variables.member(named: name, of: group) else { return nil }
        switch value {
        case .array, .object:
            if members.count < Self.membersKept { members.append((name, group, value)) }
        default: break
        }
        return value
    }

    /// The nesting depth of lists and hashes.
    private mutating func depth(of value: LiquidValue) throws(LiquidError) -> Int {
        switch value {
        case .array(let elements):
            var deepest = 0
            for element in elements {
                try spend(1)
                deepest = max(deepest, 1 + (try depth(of: element)))
            }
            return deepest
        case .object(let object): return object.depth
        default: return 0
        }
    }
}

extension LiquidValue {
    /// Number of bytes of a text; 0 for other values.
    @inline(__always)
    var textBytes: Int {
        if case .string(let text) = self { return text.utf8.count }
        return 0
    }
}
