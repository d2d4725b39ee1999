import Foundation
@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import UserNotifications

/// Handles pushes like the system: wakes the app, runs the service extension, shows the
/// notification.
extension VirtualPhone {
    /// Receives a push from the push provider, like the system.
    package func receive(_ push: PhonePush) async {
        guard state.isOnline else {
            // The push provider stores only the newest push for an unreachable device.
            keptWhileOffline = [push]
            return
        }
        do {
            try await show(try NotificationDescription(push, date: now()))
        } catch {
            log("A push was not shown: \(error)")
        }
        await refreshFromSDK()
    }

    private func show(_ arrived: NotificationDescription) async throws {
        var description = arrived
        if description.wakesApp, let process {
            await process.wake(with: description)
        }
        if let badge = description.badge, !description.isVisible {
            setBadge(badge)
        }
        guard description.isVisible else {
            log("A silent push arrived")
            return
        }
        guard [.authorized, .provisional, .ephemeral].contains(center.shimAuthorization) else {
            log("A push arrived, but notifications are not allowed")
            return
        }
        if description.isMutable {
            description = await runServiceExtension(on: description)
        }
        if state.appState == .foreground, let process {
            let options = await process.present(description)
            guard !options.isDisjoint(with: [.banner, .list, .alert]) else {
                log("The app chose not to show a push")
                return
            }
        }
        if let badge = description.badge { setBadge(badge) }
        addBanner(description)
    }

    private func runServiceExtension(
        on description: NotificationDescription
    ) async -> NotificationDescription {
        let configuration = configuration
        let dependencies = dependencies
        return await ServiceExtensionHost.run(
            {
                DemoNotificationService(
                    configuration: configuration,
                    dependencies: dependencies
                )
            },
            on: description,
            time: settings.serviceExtensionTime
        )
    }

    private func addBanner(_ description: NotificationDescription) {
        let isRepeated = notifications[description.identifier] != nil
        notifications[description.identifier] = description
        center.shimDeliver(description.notification())
        let buttons = (center.shimCategory(description.category)?.actions ?? []).map { action in
            VirtualPhoneState.Banner.Button(
                id: action.identifier,
                title: action.title,
                isDestructive: action.options.contains(.destructive),
                placeholder: (action as? UNTextInputNotificationAction)?.textInputPlaceholder
            )
        }
        var story: VirtualPhoneState.Banner.Story?
        if description.category == PushPayloadKey.storyCategory,
            let content = try? NoroshiNotificationContent(description.notification()),
            let pages = try? NoroshiPushStory(content)
        {
            stories[description.identifier] = pages
            story = .init(pages, pictures: content.storyPictures.mapValues(\.path))
        }
        let banner = VirtualPhoneState.Banner(
            id: description.identifier,
            title: description.title.isEmpty ? settings.appName : description.title,
            subtitle: description.subtitle,
            body: description.body,
            date: description.date,
            thread: description.thread,
            category: description.category,
            buttons: Array(buttons.prefix(4)),
            attachment: description.attachments.first?.file.path,
            pairs: description.pairs,
            story: story
        )
        change { state in
            state.banners.removeAll { $0.id == banner.id }
            state.banners.insert(banner, at: 0)
        }
        log("\(isRepeated ? "Replaced" : "Showed") the push “\(banner.title)”")
    }

    /// Turns the pages as the content extension does.
    func turnPage(of banner: String, _ turn: StoryTurn) throws {
        guard var story = stories[banner] else { throw Self.noStory(banner) }
        story.turn(turn)
        stories[banner] = story
        change { state in
            guard let index = state.banners.firstIndex(where: { $0.id == banner }) else { return }
            state.banners[index].story?.follow(story)
        }
    }

    /// Reports the tapped page as the content extension does, which then has the system open the
    /// app.
    func tapPage(of banner: String) async throws {
        guard let story = stories[banner] else { throw Self.noStory(banner) }
        log("Tapped page \(story.number) of the push")
        NoroshiExtensionContext(configuration: configuration, dependencies: dependencies)
            .perform(story.open())
        try await respond(to: banner, action: UNNotificationDefaultActionIdentifier)
    }

    private static func noStory(_ banner: String) -> VirtualPhoneError {
        VirtualPhoneError("the notification \(banner) is no push story")
    }

    private func setBadge(_ badge: Int) {
        center.setBadgeCount(badge)
        change { $0.badge = max(0, badge) }
    }
}
