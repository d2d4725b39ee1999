#if canImport(SwiftUI) && canImport(UIKit) && canImport(WebKit)
import Noroshi
import SwiftUI
import UIKit

extension View {
    /// Shows in-app messages over the app while this view is on the screen.
    ///
    /// It belongs to the view that stays, such as the one around a `NavigationStack`. While it is
    /// away messages wait: one that the user has not seen yet comes again, uncounted. Without an
    /// SDK, such as before a consent, nothing happens.
    @available(iOSApplicationExtension, unavailable)
    public func noroshiInAppMessages(_ noroshi: Noroshi?) -> some View {
        task(id: noroshi.map(ObjectIdentifier.init)) { @Sendable in
            await noroshi?.inAppMessages.show(with: NoroshiInAppMessageUI())
        }
    }

    /// Shows in-app messages over the app while this view is on the screen, some of them as views of
    /// the app's own.
    ///
    /// ```swift
    /// .noroshiInAppMessages(noroshi) { message in
    ///     message.message.extras?["view_type"] == "picker" ? TeamPicker(message) : nil
    /// }
    /// ```
    /// - Parameter replacement: The view in place of a message, which covers the screen and ends
    ///   with one of the context's calls; `nil` for messages that the SDK draws.
    @available(iOSApplicationExtension, unavailable)
    public func noroshiInAppMessages<Replacement: View>(
        _ noroshi: Noroshi?,
        replacing replacement:
            @escaping @MainActor @Sendable (NoroshiInAppMessageContext) -> Replacement?
    ) -> some View {
        task(id: noroshi.map(ObjectIdentifier.init)) { @Sendable in
            let ui = NoroshiInAppMessageUI.replacing(with: replacement)
            await noroshi?.inAppMessages.show(with: ui)
        }
    }
}

@available(iOSApplicationExtension, unavailable)
extension NoroshiInAppMessageUI {
    /// A presenter that shows SwiftUI's views where there is one.
    fileprivate static func replacing<Replacement: View>(
        with replacement:
            @escaping @MainActor @Sendable (NoroshiInAppMessageContext) -> Replacement?
    ) -> NoroshiInAppMessageUI {
        let ui = NoroshiInAppMessageUI()
        ui.customController = { context in
            guard let view = replacement(context) else { return nil }
            let controller = UIHostingController(rootView: view)
            // The app shows through beside a card.
            controller.view?.backgroundColor = .clear
            controller.modalPresentationStyle = .overFullScreen
            return controller
        }
        return ui
    }
}
#endif
