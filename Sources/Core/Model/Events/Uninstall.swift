/// The system's event for an app that is gone from a device: its push service has said that the
/// token is nobody's any more.
package enum Uninstall {
    package static let eventName = "$uninstalled"
}
