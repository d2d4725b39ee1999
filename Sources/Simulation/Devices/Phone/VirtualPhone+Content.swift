import NoroshiContent
import UserNotifications
import UserNotificationsUI

/// Expands notifications like the system: the content extension draws those of its categories.
extension VirtualPhone {
    /// Expands a notification. Each time the extension begins anew.
    func expand(_ banner: String) async throws {
        let description = try find(banner)
        guard ContentExtensionHost.categories.contains(description.category) else { return }
        let host = await ContentExtensionHost(
            configuration: configuration,
            dependencies: dependencies,
            language: state.language,
            changed: { [weak self] in Task { await self?.redraw(banner) } },
            called: { [weak self] call in Task { await self?.perform(call, of: banner) } }
        )
        extensions[banner] = host
        drawn[banner] = nil
        await host.show(description)
        await redraw(banner)
    }

    /// Closes an expanded notification, which stays on the lock screen.
    func collapse(_ banner: String) {
        guard extensions.removeValue(forKey: banner) != nil else { return }
        drawn[banner] = nil
        setContent(nil, of: banner)
    }

    func touch(_ element: String, in banner: String) async throws {
        guard try await opened(banner).touch(element) else {
            throw VirtualPhoneError("the notification \(banner) has no button \(element) to touch")
        }
        await redraw(banner)
    }

    func type(_ text: String, into element: String, in banner: String) async throws {
        guard try await opened(banner).type(text, into: element) else {
            throw VirtualPhoneError("the notification \(banner) has no field \(element)")
        }
        await redraw(banner)
    }

    /// Whether an expanded notification takes the tap on one of its buttons for itself.
    func takes(action: String, of banner: String) async throws -> Bool {
        guard let host = extensions[banner] else { return false }
        let option = await host.respond(to: try find(banner), action: action)
        await redraw(banner)
        switch option {
        case .dismissAndForwardAction: return false
        case .doNotDismiss: return true
        case .dismiss:
            closeItself(banner)
            return true
        }
    }

    private func redraw(_ banner: String) async {
        guard let host = extensions[banner] else { return }
        let (revision, content) = await host.picture
        // A later picture may have come first, or the notification been closed meanwhile.
        guard extensions[banner] === host, revision >= drawn[banner] ?? 0 else { return }
        drawn[banner] = revision
        setContent(content, of: banner)
    }

    private func perform(_ call: ContentExtensionHost.Call, of banner: String) async {
        switch call {
        case .dismiss: closeItself(banner)
        case .open:
            do {
                try await respond(to: banner, action: UNNotificationDefaultActionIdentifier)
            } catch {
                log("The app was not opened: \(error)")
            }
        }
    }

    private func closeItself(_ banner: String) {
        removeBanner(banner)
        log("The push has closed itself")
    }

    private func setContent(_ content: ContentElement?, of banner: String) {
        change { state in
            guard let index = state.banners.firstIndex(where: { $0.id == banner }) else { return }
            state.banners[index].content = content
        }
    }

    private func find(_ banner: String) throws -> NotificationDescription {
        guard let description = notifications[banner] else {
            throw VirtualPhoneError("there is no notification \(banner) on the phone")
        }
        return description
    }

    private func opened(_ banner: String) throws -> ContentExtensionHost {
        guard let host = extensions[banner] else {
            throw VirtualPhoneError("the notification \(banner) is not expanded")
        }
        return host
    }
}
