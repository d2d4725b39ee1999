import Noroshi
import NoroshiWire

/// Puts in-app messages on the phone's screen, as an app with views of its own does.
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

    /// Taps the message, or one of its buttons. Whether there was a message.
    func tap(button: String?) -> Bool {
        guard let shown = take() else { return false }
        shown.processClick(buttonId: button)
        return true
    }

    /// Closes the message without a tap. Whether there was a message.
    func close() -> Bool {
        guard let shown = take() else { return false }
        shown.logDismissal()
        return true
    }

    /// Takes the message from the screen first: the next one comes as soon as it is closed.
    private func take() -> NoroshiInAppMessageContext? {
        guard let shown = context else { return nil }
        context = nil
        show(nil)
        return shown
    }
}
