import Devices
import Phones

/// The state of a phone's screen besides the app: whether it is unlocked, and how the app was
/// opened.
struct PhoneDisplay: Sendable {
    private(set) var isUnlocked = false
    private var opening = PhoneAppState()
    /// The in-app message that is tried, until it is tapped or closed.
    var tried: PhoneInAppMessage?

    /// Updates the state after an action of the user on the phone, which was in the state `before`.
    mutating func follow(
        _ action: PhoneAction,
        from before: VirtualPhoneState,
        to after: VirtualPhoneState
    ) {
        switch action {
        case .tapMessage, .closeMessage, .goHome, .lock: tried = nil
        default: break
        }
        switch action {
        case .tap(let id), .tapPage(let id):
            open(before.banners.first { $0.id == id }, button: nil)
        // Some buttons do not change the state of the app.
        case .press(let button, let id, _) where after.appState == .foreground:
            let banner = before.banners.first { $0.id == id }
            open(banner, button: banner?.buttons.first { $0.id == button }?.title)
        case .openApp:
            isUnlocked = true
            opening = PhoneAppState()
        case .unlock, .goHome:
            isUnlocked = true
        case .lock:
            isUnlocked = false
        default:
            break
        }
    }

    /// The content that the app shows; the URL is the one that the SDK has passed to it.
    func app(lastOpenedURL: String?) -> PhoneAppState {
        var app = opening
        app.url = opening.openedBy == nil ? nil : lastOpenedURL
        return app
    }

    private mutating func open(_ banner: VirtualPhoneState.Banner?, button: String?) {
        guard let banner else { return }
        isUnlocked = true
        opening = PhoneAppState(
            openedBy: banner.title,
            button: button,
            pairs: banner.pairs.sorted { $0.key < $1.key }
                .map { PhonePair(key: $0.key, value: $0.value) }
        )
    }
}
