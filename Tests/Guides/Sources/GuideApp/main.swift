import Foundation
@_spi(Testing) import NoroshiUI
import UIKit

@testable import G000
@testable import G001
@testable import G002
@testable import G003
@testable import G004

// Runs what the guides show, against the SDK's own screens.

@MainActor
final class Probe: NoroshiTransport {
    nonisolated func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        NoroshiResponse(status: 503)
    }

    private var failures: [String] = []

    private func expect(_ holds: Bool, _ what: String) {
        print(holds ? "✓ \(what)" : "✗ \(what)")
        if !holds { failures.append(what) }
    }

    private func texts(in view: UIView?) -> [String] {
        guard let view, !view.isHidden else { return [] }
        let own = (view as? UILabel)?.text ?? (view as? UIButton)?.title(for: .normal)
        return [own].compactMap { $0 } + view.subviews.flatMap { texts(in: $0) }
    }

    private func wait(_ condition: () -> Bool) async {
        for _ in 0..<400 where !condition() {
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
    }

    func run() async -> Bool {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-guides-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder
        configuration.api.requestPolicy = .manual
        configuration.triggerMinimumTimeInterval = 0
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        let noroshi = Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: self),
            platform: platform
        )
        AppboyManager.shared.noroshi = noroshi
        let host = UIViewController()
        let ui = NoroshiInAppMessageUI(host: { host })
        ui.delegate = AppboyManager.shared
        noroshi.inAppMessages.presenter = ui

        noroshi.inAppMessages.present(message("slideup", .slideup, "Tea is ready", [:]))
        await wait { host.presentedViewController != nil }
        let slideup = host.presentedViewController as? SlideFromBottomViewController
        expect(slideup?.slideConstraint?.constant == -25, "003: the slideup's offset is applied")
        slideup?.dismissByUser()
        await wait { host.presentedViewController == nil }

        ShimNibs.loaders["ModalPickerViewController"] = { owner in
            guard let owner = owner as? ModalPickerViewController else { return }
            let view = UIView()
            let title = UILabel()
            title.text = "the nib's own title"
            view.addSubview(title)
            view.addSubview(owner.pickerView)
            owner.view = view
        }
        noroshi.inAppMessages.present(
            message(
                "picker",
                .modal,
                "Lions, Tigers, Giants",
                ["view_type": "picker", "attribute_key": "team"]
            )
        )
        await wait { host.presentedViewController != nil }
        let picker = host.presentedViewController as? ModalPickerViewController
        expect(
            texts(in: picker?.view) == ["the nib's own title"],
            "003: the picker is the only card: \(texts(in: picker?.view))"
        )
        expect(picker?.items == ["Lions", "Tigers", "Giants"], "003: the picker has its items")
        picker?.selectedItem = "Tigers"
        let before = noroshi.pendingRecordCount
        picker?.primaryButtonTapped(self)
        expect(noroshi.pendingRecordCount == before + 1, "003: the choice is stored")

        pending(noroshi)
        return failures.isEmpty
    }

    /// What an extension leaves, by the guides' code, is taken over by the guides' code. The
    /// placeholder that stands for an address is none, so the SDK refuses it with a reason.
    private func pending(_ noroshi: Noroshi) {
        G000.AppDelegate.braze = noroshi
        G001.AppDelegate.braze = noroshi
        G002.AppDelegate.braze = noroshi
        var before = noroshi.pendingRecordCount
        func check(_ guide: String) {
            let count = noroshi.pendingRecordCount - before
            expect(count == 2, "\(guide): an event and an attribute arrive (\(count))")
            before += count
        }
        let (screen0, app0) = (G000.NotificationViewController(), G000.AppDelegate())
        screen0.saveCustomEvent(with: ["tea": "green"])
        screen0.saveCustomAttribute()
        screen0.saveUserAttribute()
        app0.logPendingCustomEventsIfNecessary()
        app0.logPendingCustomAttributesIfNecessary()
        app0.logPendingUserAttributesIfNecessary()
        check("000")
        let (screen1, app1) = (G001.NotificationViewController(), G001.AppDelegate())
        screen1.saveCustomEvent(with: ["tea": "green"])
        screen1.saveCustomAttribute()
        screen1.saveUserAttribute()
        app1.logPendingCustomEventsIfNecessary()
        app1.logPendingCustomAttributesIfNecessary()
        app1.logPendingUserAttributesIfNecessary()
        check("001")
        let (screen2, app2) = (G002.NotificationViewController(), G002.AppDelegate())
        screen2.saveCustomEvent(with: ["tea": "green"])
        screen2.saveCustomAttribute()
        screen2.saveUserAttribute()
        app2.logPendingCustomEventsIfNecessary()
        app2.logPendingCustomAttributesIfNecessary()
        app2.logPendingUserAttributesIfNecessary()
        check("002")
    }

    private func message(
        _ id: String,
        _ kind: InAppMessage.Kind,
        _ text: String,
        _ extras: [String: String]
    ) -> InAppMessage {
        var message = InAppMessage(
            id: id,
            kind: kind,
            message: text,
            rules: InAppMessageRules(triggers: [])
        )
        message.extras = extras
        return message
    }
}

let holds = await Probe().run()
exit(holds ? 0 : 1)
