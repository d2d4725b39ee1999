/// What a render is given besides the variables.
package struct RenderOptions: Sendable {
    /// What happens to an error in one node.
    package enum Errors: Sendable, Equatable {
        /// Its text is printed in the node's place: `Liquid error (line 1): …`.
        case inline
        /// As `inline`, without the line.
        case inlineWithoutLines
        /// Nothing is printed in the node's place.
        case omit
        /// Rendering stops with it.
        case raise
    }

    package var errors = Errors.inline
    /// A name nothing defines is an error instead of `nil`.
    package var isStrictAboutVariables = false
    /// A filter nobody has defined is an error instead of doing nothing.
    package var isStrictAboutFilters = false
    package var limits = LiquidLimits()
    /// The zone of dates that name none.
    package var timeZone = LiquidTimeZone.utc
    package var templates: (any LiquidTemplateLoader)?
    /// The present; asked once a render.
    package var now: @Sendable () -> LiquidTime
    /// The time since some moment that stays the same, for `LiquidLimits.time`; asked every few
    /// thousand steps, so that small templates never ask. Without it only work is limited.
    package var clock: (@Sendable () -> Duration)?

    package init(now: @escaping @Sendable () -> LiquidTime) {
        self.now = now
    }
}
