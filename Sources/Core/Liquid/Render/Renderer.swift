/// Renders one template once. It is a value passed `inout` and never shared.
struct Renderer: ~Copyable {
    enum Interrupt {
        case none
        case breaks
        case continues
    }

    var output: [UInt8] = []
    /// The source of the template being rendered, for text and error locations.
    var source: [UInt8]
    var templateName: String?
    /// The trees of the partials being rendered, outermost first.
    var partials: [(pool: ObjectIdentifier, tree: TemplateTree)] = []
    var scope = Scope()
    /// The scopes around the current one, outermost first.
    var outerScopes: [Scope] = []
    var loops: [LoopState] = []
    var interrupt = Interrupt.none
    /// `include` is not allowed inside `render`.
    var isInsideRender = false
    var errors: [LiquidError] = []
    var extras: [(key: String, value: String)] = []
    /// The answers so far, in the order of the questions.
    let answers: [ReadyAnswer]
    var answered = 0
    /// The converted members that are worth caching.
    var members: [(name: LiquidName, group: LiquidName, value: LiquidValue)] = []
    static let membersKept = 16
    /// The question that must be answered before rendering can continue.
    var pending: LiquidDataRequest?
    let variables: any LiquidVariables
    let options: RenderOptions
    /// The current time, the same for the whole render.
    let now: LiquidTime

    /// Work so far, including that before this render.
    private(set) var steps: Int
    private var nextCheck: Int
    /// Time measured before this render.
    private let timeBefore: Duration
    /// The first reading of the clock.
    private var startedAt: Duration?
    private var generation = 0
    private var depth = 0

    init(
        _ tree: TemplateTree,
        named name: String?,
        variables: any LiquidVariables,
        options: RenderOptions,
        now: LiquidTime,
        answers: [ReadyAnswer],
        cost: RenderCost
    ) {
        source = tree.source
        templateName = name
        self.variables = variables
        self.options = options
        self.answers = answers
        self.now = now
        steps = cost.steps
        timeBefore = cost.time
        nextCheck = min(options.limits.steps + 1, cost.steps + Self.stepsBetweenChecks)
        output.reserveCapacity(tree.source.count + tree.source.count / 2)
    }

    // MARK: - Nodes

    mutating func render(_ block: Block) throws(LiquidError) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= options.limits.nesting * 2 else {
            throw LiquidError(.stackLevel, .nestingLimit)
        }
        try spend(block.nodes.count)
        for node in block.nodes {
            switch node {
            case .text(let start, let end):
                appendSource(start, end)
            case .output(let node):
                do {
                    try write(node)
                } catch {
                    try report(error, at: node.offset, silently: false)
                }
            case .tag(let node):
                do {
                    try node.render(&self)
                } catch {
                    try report(error, at: node.offset, silently: node.isBlank)
                }
                if interrupt != .none { return }
            }
            if output.count > options.limits.outputBytes { throw Self.outputLimit }
        }
    }

    @inline(__always)
    private mutating func appendSource(_ start: Int, _ end: Int) {
        // Checked with the next counted step.
        steps &+= (end - start) >> LiquidLimits.bytesShift
        source.withUnsafeBufferPointer { source in
            output.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<end]))
        }
    }

    /// Records an error and prints it as the options say, or throws it.
    mutating func report(
        _ error: LiquidError,
        at offset: Int,
        silently: Bool
    ) throws(LiquidError) {
        let error = error.located(at: offset, in: source, named: templateName)
        guard error.isRecoverable, options.errors != .raise else { throw error }
        // The source is read up to the location, and the error is stored.
        try spend(Self.stepsOfError)
        try spend(bytes: offset)
        errors.append(error)
        guard !silently, error.kind != .undefinedVariable, error.kind != .undefinedFilter else {
            return
        }
        switch options.errors {
        case .inline: output.append(contentsOf: error.text.utf8)
        case .inlineWithoutLines: output.append(contentsOf: error.text(withLines: false).utf8)
        case .omit, .raise: break
        }
    }

    /// Renders into a fresh buffer and returns the output.
    mutating func capture(
        _ body: (inout Renderer) throws(LiquidError) -> Void
    ) throws(LiquidError) -> [UInt8] {
        let start = output.count
        do {
            try body(&self)
        } catch {
            output.removeSubrange(start...)
            throw error
        }
        let written = Array(output[start...])
        output.removeSubrange(start...)
        // Copied here, and once more by the caller.
        try spend(bytes: 2 * written.count)
        return written
    }

    // MARK: - Limits

    static let stepsBetweenChecks = 2048
    /// Stored errors take memory too.
    private static let stepsOfError = 64
    static let outputLimit = LiquidError(.limit, .memoryLimit)
    private static let workLimit = LiquidError(
        .workLimit,
        .stepLimit
    )
    private static let timeLimit = LiquidError(
        .timeLimit,
        .timeLimit
    )

    /// Counts work; throws if a limit of work or time is exceeded.
    @inline(__always)
    mutating func spend(_ count: Int) throws(LiquidError) {
        steps &+= count
        if steps >= nextCheck { try checkLimits() }
    }

    /// Counts text that is copied, compared or created.
    @inline(__always)
    mutating func spend(bytes: Int) throws(LiquidError) {
        try spend(bytes >> LiquidLimits.bytesShift)
    }

    /// Like `spend(bytes:)`, but checked only with the next counted step.
    @inline(__always)
    mutating func note(bytes: Int) {
        steps &+= bytes >> LiquidLimits.bytesShift
    }

    /// Counts work that is checked with the next counted step.
    @inline(__always)
    mutating func note(steps count: Int) {
        steps &+= count
    }

    @inline(never)
    private mutating func checkLimits() throws(LiquidError) {
        guard steps <= options.limits.steps else { throw Self.workLimit }
        if let clock = options.clock {
            let present = clock()
            let start = startedAt ?? present
            startedAt = start
            guard timeBefore + (present - start) <= options.limits.time else {
                throw Self.timeLimit
            }
        }
        guard output.count <= options.limits.outputBytes else { throw Self.outputLimit }
        nextCheck = min(options.limits.steps + 1, steps + Self.stepsBetweenChecks)
    }

    /// The cost of the message so far.
    func cost() -> RenderCost {
        var cost = RenderCost()
        cost.steps = steps
        cost.time = timeBefore
        if let startedAt, let clock = options.clock { cost.time += clock() - startedAt }
        return cost
    }

    /// Throws if a value of this size may not be created.
    func allow(bytes: Int) throws(LiquidError) {
        guard bytes <= options.limits.outputBytes else { throw Self.outputLimit }
    }

    /// Counts the elements of a list that a filter creates.
    mutating func allow(elements: Int) throws(LiquidError) {
        guard elements <= options.limits.elements else { throw Self.outputLimit }
        try spend(elements)
    }

    // MARK: - Scopes

    /// Opens a frame of local variables.
    mutating func openFrame() throws(LiquidError) {
        guard scope.frames + outerScopes.count < options.limits.scopes else {
            throw LiquidError(.stackLevel, .nestingLimit)
        }
        scope.frames += 1
    }

    mutating func closeFrame(locals count: Int) {
        scope.frames -= 1
        scope.locals.removeSubrange(count...)
    }

    /// Enters a scope without access to the current one.
    mutating func openScope(_ inner: Scope) throws(LiquidError) {
        guard scope.frames + outerScopes.count < options.limits.scopes else {
            throw LiquidError(.stackLevel, .nestingLimit)
        }
        outerScopes.append(scope)
        scope = inner
    }

    mutating func closeScope() {
        if let outer = outerScopes.popLast() { scope = outer }
    }

    // MARK: - Loops

    /// Starts a loop and returns a reference to it.
    mutating func openLoop(
        name: String,
        length: Int,
        parent: Int?,
        columns: Int?
    ) -> LiquidLoopReference {
        generation += 1
        loops.append(
            LoopState(
                generation: generation,
                name: name,
                length: length,
                parent: parent,
                columns: columns
            )
        )
        return LiquidLoopReference(depth: loops.count - 1, generation: generation)
    }

    func loopState(_ reference: LiquidLoopReference) -> LoopState? {
        guard reference.depth < loops.count,
            loops[reference.depth].generation == reference.generation
        else { return nil }
        return loops[reference.depth]
    }
}
