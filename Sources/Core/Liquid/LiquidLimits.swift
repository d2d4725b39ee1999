/// Bounds that keep a template from taking the process with it.
package struct LiquidLimits: Sendable {
    /// Bytes a template's source may have.
    package var sourceBytes = 1 << 20
    /// Depth of nested blocks and of nested expressions.
    package var nesting = 100
    /// Depth of scopes: loops, includes and renders inside one another.
    package var scopes = 100
    /// Bytes one render may write, and bytes of any one value it makes.
    package var outputBytes = 4 << 20
    /// Work that one message may cost, all its texts and the attempts between its questions
    /// together: nodes rendered, filters called, loop rounds, elements handled, and one more for
    /// every 16 bytes of text that is copied, compared or made.
    package var steps = 5_000_000
    /// How long the same may take where the caller measures (`RenderOptions.clock`). Waiting for
    /// answers from outside does not count.
    package var time = Duration.milliseconds(250)
    /// Elements of any one list a filter makes.
    package var elements = 1_000_000
    /// Connected Content calls in one render.
    package var fetches = 20
    /// Bytes of `message_extras` in one render.
    package var extrasBytes = 1024

    /// So many bytes of text cost as much as one node, as a power of two.
    static let bytesShift = 4

    package init() {}
}
