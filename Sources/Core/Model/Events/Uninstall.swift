/// The system's event for an app that was removed from a device: the push provider reported that
/// the token is no longer valid.
package enum Uninstall {
    package static let eventName = "$uninstalled"
}
