import Foundation
import UIKit

extension NSExtensionContext {
    /// Closes the expanded notification.
    /// <https://developer.apple.com/documentation/foundation/nsextensioncontext/dismissnotificationcontentextension()>
    public func dismissNotificationContentExtension() {
        shimCall("dismiss")
    }

    /// Opens the app as a tap on the notification does.
    /// <https://developer.apple.com/documentation/foundation/nsextensioncontext/performnotificationdefaultaction()>
    public func performNotificationDefaultAction() {
        shimCall("open")
    }
}
