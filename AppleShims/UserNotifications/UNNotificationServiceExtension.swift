import Foundation

/// An object that changes a remote notification before it is shown.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension>
open class UNNotificationServiceExtension: NSObject {
    public override init() {
        super.init()
    }

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension/didreceive(_:withcontenthandler:)>
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension/serviceextensiontimewillexpire()>
    open func serviceExtensionTimeWillExpire() {}
}
