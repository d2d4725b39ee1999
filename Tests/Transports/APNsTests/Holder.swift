import APNs
import Synchronization

/// Credentials that a test changes while the transport asks for them.
final class Holder: Sendable {
    private let credentials = Mutex<APNsCredentials?>(nil)

    var value: APNsCredentials? {
        get { credentials.withLock { $0 } }
        set { credentials.withLock { $0 = newValue } }
    }
}
