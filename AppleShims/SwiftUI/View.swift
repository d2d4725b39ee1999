import Foundation

/// <https://developer.apple.com/documentation/swiftui/view>
@MainActor
@preconcurrency
public protocol View {
    /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
    associatedtype Body: View

    /// <https://developer.apple.com/documentation/swiftui/view/body-8kl5o>
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

/// <https://developer.apple.com/documentation/swiftui/viewbuilder>
@resultBuilder
public struct ViewBuilder {
    /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)>
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

/// Shim only: a view that Apple's would draw themselves, such as a text.
public struct ShimDrawing: View {
    public nonisolated init() {}

    public var body: ShimDrawing { self }
}

extension View {
    /// The task begins when the view appears and ends when it disappears; with another `id` it
    /// begins anew.
    /// <https://developer.apple.com/documentation/swiftui/view/task(id:name:priority:file:line:_:)>
    public nonisolated func task<T: Equatable>(
        id: T,
        name: String? = nil,
        priority: TaskPriority = .userInitiated,
        file: String = #fileID,
        line: Int = #line,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View {
        ShimTask(content: self, id: id, action: action)
    }
}

/// A view with a task.
private struct ShimTask<Content: View, ID: Equatable>: View, ShimWithTask {
    // Only read, on the main actor, after the view is made.
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let id: ID
    nonisolated(unsafe) let action: @isolated(any) () async -> Void

    nonisolated init(
        content: Content,
        id: ID,
        action: @escaping @isolated(any) () async -> Void
    ) {
        self.content = content
        self.id = id
        self.action = action
    }

    var body: Content { content }

    func hasID(of other: any ShimWithTask) -> Bool {
        (other as? ShimTask<Content, ID>)?.id == id
    }

    func start() -> Task<Void, Never> {
        nonisolated(unsafe) let action = action
        return Task { await action() }
    }
}

@MainActor
private protocol ShimWithTask {
    func hasID(of other: any ShimWithTask) -> Bool
    func start() -> Task<Void, Never>
}

/// Shim only: the place where a view is shown, which outlives the values that describe it.
@MainActor
public final class ShimScreen {
    private var running: [(view: any ShimWithTask, task: Task<Void, Never>)] = []

    public init() {}

    /// Shows `view`, or what has become of it.
    public func show(_ view: some View) {
        var found: [any ShimWithTask] = []
        Self.collect(view, into: &found)
        var before = running
        running = found.map { view in
            if let same = before.firstIndex(where: { $0.view.hasID(of: view) }) {
                return before.remove(at: same)
            }
            return (view, view.start())
        }
        for (_, task) in before { task.cancel() }
    }

    /// Takes the view off the screen.
    public func clear() {
        for (_, task) in running { task.cancel() }
        running = []
    }

    private static func collect(_ view: some View, into found: inout [any ShimWithTask]) {
        if let task = view as? any ShimWithTask { found.append(task) }
        if !(view is ShimDrawing) { collect(view.body, into: &found) }
    }
}
