/// What rendering a message has cost so far.
///
/// It is handed from one text of the message to the next, and from one attempt to the next, so
/// that the limits hold for the whole of it.
package struct RenderCost: Sendable {
    /// In the unit of `LiquidLimits.steps`.
    package internal(set) var steps = 0
    /// As far as it was measured.
    package internal(set) var time = Duration.zero

    package init() {}
}
