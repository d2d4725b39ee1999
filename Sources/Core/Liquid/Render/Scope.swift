/// The variables of one isolated part of a render: the document, or a partial under `render`.
struct Scope {
    struct Variable {
        let name: LiquidName
        var value: LiquidValue
    }

    /// Number of names that are searched per step.
    static let namesPerStep = 16

    /// Whether a search costs more than a node.
    private(set) var isLarge = false

    mutating func noteSize() {
        isLarge = names > 4 * Self.namesPerStep
    }

    /// Number of names that a search may have to check.
    @inline(__always)
    var names: Int { globals.count + locals.count + counters.count }

    /// Variables set by `assign` and `capture`.
    var globals: [Variable] = []
    /// Variables set by loops and includes, innermost last.
    var locals: [Variable] = []
    /// Number of open loops and includes.
    var frames = 1
    var counters: [(name: LiquidName, value: Int)] = []
    var cycles: [(key: LiquidValue, position: Int)] = []
    /// The index at which `offset: continue` resumes, by loop name.
    var offsets: [String: Int] = [:]
    /// The last output of `ifchanged`.
    var lastChange: [UInt8]?
    /// The innermost `for`, as an index of the renderer's loops.
    var loop: Int?

    @inline(__always)
    func find(_ name: LiquidName) -> LiquidValue? {
        var index = locals.count
        while index > 0 {
            index -= 1
            if locals[index].name.digest == name.digest, locals[index].name == name {
                return locals[index].value
            }
        }
        index = globals.count
        while index > 0 {
            index -= 1
            if globals[index].name.digest == name.digest, globals[index].name == name {
                return globals[index].value
            }
        }
        for counter in counters where counter.name == name { return .int(counter.value) }
        return nil
    }

    mutating func assign(_ name: LiquidName, _ value: LiquidValue) {
        for index in globals.indices where globals[index].name == name {
            globals[index].value = value
            return
        }
        globals.append(Variable(name: name, value: value))
        noteSize()
    }

    /// Changes a counter and returns its value.
    mutating func count(_ name: LiquidName, by step: Int) -> Int {
        for index in counters.indices where counters[index].name == name {
            counters[index].value &+= step
            return counters[index].value
        }
        counters.append((name, step))
        noteSize()
        return step
    }
}

/// The state of a running loop, read through `forloop` and `tablerowloop`.
struct LoopState {
    let generation: Int
    /// Empty for `tablerowloop`.
    let name: String
    let length: Int
    let parent: Int?
    /// Columns of a `tablerow`; `nil` for `for`.
    let columns: Int?
    var index = 0
    var column = 1
    var row = 1

    mutating func advance() {
        index += 1
        if column == columns {
            column = 1
            row += 1
        } else {
            column += 1
        }
    }
}
