import Noroshi
import NoroshiWire

/// Shows in-app messages on the phone's screen, like an app with custom views.
@MainActor
final class DemoInAppMessages: NoroshiInAppMessagePresenter {
    private let show: @Sendable (InAppMessage?) -> Void
    private var context: NoroshiInAppMessageContext?

    init(show: @escaping @Sendable (InAppMessage?) -> Void) {
        self.show = show
    }

    func present(_ context: NoroshiInAppMessageContext) {
        self.context = context
        context.logImpression()
        show(context.message)
    }

    func dismiss() {
        context = nil
        show(nil)
    }

    /// Taps the message, or one of its buttons.
    ///
    /// - Returns: `false` if there was no message.
    func tap(button: String?) -> Bool {
        guard let shown = take() else { return false }
        shown.processClick(buttonId: button)
        return true
    }

    /// Closes the message without a tap.
    ///
    /// - Returns: `false` if there was no message.
    func close() -> Bool {
        guard let shown = take() else { return false }
        shown.logDismissal()
        return true
    }

    /// Removes the message from the screen first, because the next one is shown as soon as it is
    /// closed.
    private func take() -> NoroshiInAppMessageContext? {
        guard let shown = context else { return nil }
        context = nil
        show(nil)
        return shown
    }
}
