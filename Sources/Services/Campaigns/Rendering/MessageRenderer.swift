import Foundation
import Liquid
import Reasons
import Synchronization

/// Where messages are rendered, and how much one may cost.
///
/// Nearly all are rendered at once where they are asked for. One that turns out to be dear is begun
/// again on a thread of its own, so that other requests do not wait for it.
package final class MessageRenderer: Sendable {
    package struct Settings: Sendable {
        /// What one message may cost, in work and in time.
        package var limits = LiquidLimits()
        /// Work that is done where a message is asked for: about a millisecond.
        package var stepsAtOnce = 20_000
        /// Threads for dear messages.
        package var threads = 1
        /// Dear messages that wait for a thread; further ones are refused.
        package var waiting = 32
        /// After so many users for whom a message reached a limit, it is not tried for others.
        package var strikes = 10

        package init() {}
    }

    package let settings: Settings
    private let threads: RenderThreads
    private let clock: (@Sendable () -> Duration)?

    /// - Parameter clock: The time since some moment that stays the same; without it only work is
    ///   limited.
    package init(
        settings: Settings = Settings(),
        clock: (@Sendable () -> Duration)? = nil
    ) {
        self.settings = settings
        self.clock = clock
        threads = RenderThreads(count: settings.threads, waiting: settings.waiting)
    }

    /// The options of a message's texts.
    package func options(_ now: Date, _ blocks: ContentBlockSet) -> RenderOptions {
        var options = RenderOptions(now: { LiquidTime(seconds: Int(now.timeIntervalSince1970)) })
        // A half-rendered sentence must not reach anybody's phone.
        options.errors = .raise
        options.templates = blocks
        options.limits = settings.limits
        options.clock = clock
        return options
    }

    /// Does a render's next part: here if it is cheap, else on a thread of its own.
    ///
    /// - Parameter part: Gets the most work that the render may have done at its end, and is the
    ///   same each time it is called.
    /// - Throws: `LiquidError`: what the part throws, or `.limit` when too many others wait.
    package func perform<Value: Sendable>(
        after cost: RenderCost = RenderCost(),
        _ part: @escaping @Sendable (_ steps: Int) throws(LiquidError) -> Value
    ) async throws(LiquidError) -> Value {
        let most = settings.limits.steps
        let atOnce = min(most, cost.steps + settings.stepsAtOnce)
        do throws(LiquidError) {
            return try part(atOnce)
        } catch {
            guard error.kind == .workLimit, atOnce < most else { throw error }
        }
        let result = await threads.run {
            Result { () throws(LiquidError) in try part(most) }
        }
        guard let result else { throw Self.busy }
        return try result.get()
    }

    private static let busy = LiquidError(.timeLimit, Reason(MessageReason.busy))
}

/// How often a message has reached a limit. One that does so for user after user is given up, as
/// it would take the time of all others.
package final class RenderStrikes: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    /// Throws when the message has been given up.
    package func check(_ settings: MessageRenderer.Settings) throws(LiquidError) {
        guard count.load(ordering: .relaxed) >= settings.strikes else { return }
        throw LiquidError(.limit, Reason(MessageReason.givenUp))
    }

    /// Notes an error if it is a limit.
    package func note(_ error: LiquidError) {
        switch error.kind {
        case .workLimit, .timeLimit: count.add(1, ordering: .relaxed)
        default: break
        }
    }

    /// Notes that a user's message could be rendered.
    package func clear() {
        if count.load(ordering: .relaxed) > 0 { count.store(0, ordering: .relaxed) }
    }
}
