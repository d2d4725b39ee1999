/// The inputs of a render besides the variables.
package struct RenderOptions: Sendable {
    /// How an error in one node is handled.
    package enum Errors: Sendable, Equatable {
        /// Its text is printed in the node's place: `Liquid error (line 1): …`.
        case inline
        /// As `inline`, without the line.
        case inlineWithoutLines
        /// The node prints nothing.
        case omit
        /// Rendering stops with the error.
        case raise
    }

    package var errors = Errors.inline
    /// Whether an undefined name is an error instead of `nil`.
    package var isStrictAboutVariables = false
    /// Whether an undefined filter is an error instead of having no effect.
    package var isStrictAboutFilters = false
    package var limits = LiquidLimits()
    /// The time zone of dates that name none.
    package var timeZone = LiquidTimeZone.utc
    package var templates: (any LiquidTemplateLoader)?
    /// The current time, read once per render.
    package var now: @Sendable () -> LiquidTime
    /// The time since a fixed moment, for `LiquidLimits.time`. It is read every few thousand steps,
    /// so that small templates never read it. Without it only the work is limited.
    package var clock: (@Sendable () -> Duration)?

    package init(now: @escaping @Sendable () -> LiquidTime) {
        self.now = now
    }
}
