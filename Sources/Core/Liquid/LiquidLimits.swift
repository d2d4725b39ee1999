/// Limits that keep a template from exhausting the process.
package struct LiquidLimits: Sendable {
    /// Maximum size of a template's source, in bytes.
    package var sourceBytes = 1 << 20
    /// Maximum depth of nested blocks and of nested expressions.
    package var nesting = 100
    /// Maximum depth of nested scopes: loops, includes and renders.
    package var scopes = 100
    /// Maximum output of one render and maximum size of any one value, in bytes.
    package var outputBytes = 4 << 20
    /// Maximum work of one message, over all its texts and render attempts: nodes rendered, filters
    /// called, loop iterations, elements handled, plus one for every 16 bytes of text that is
    /// copied, compared or created.
    package var steps = 5_000_000
    /// Maximum time for the same, if the caller provides `RenderOptions.clock`. Waiting for
    /// external answers does not count.
    package var time = Duration.milliseconds(250)
    /// Maximum number of elements of a list that a filter creates.
    package var elements = 1_000_000
    /// Maximum number of Connected Content calls in one render.
    package var fetches = 20
    /// Maximum size of `message_extras` in one render, in bytes.
    package var extrasBytes = 1024

    /// The number of text bytes that cost as much as one node, as a power of two.
    static let bytesShift = 4

    package init() {}
}
