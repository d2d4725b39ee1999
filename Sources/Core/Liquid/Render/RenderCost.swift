/// The cost of rendering a message so far.
///
/// It is passed from one text of the message to the next, and from one attempt to the next, so that
/// the limits apply to the whole message.
package struct RenderCost: Sendable {
    /// In the unit of `LiquidLimits.steps`.
    package internal(set) var steps = 0
    /// As far as time was measured.
    package internal(set) var time = Duration.zero

    package init() {}
}
