import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiRakuza
import NoroshiWire
import Testing
import UserNotifications
import UserNotificationsUI

@Suite("The guides' snippets do what the guides say", .serialized)
@MainActor
struct SnippetTests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func sdk() -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "sdk.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        return Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: ingest),
            platform: .none
        )
    }

    private func response(
        _ userInfo: [AnyHashable: Any],
        action: String = UNNotificationDefaultActionIdentifier
    ) -> UNNotificationResponse {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        let request = UNNotificationRequest(identifier: "n", content: content, trigger: nil)
        return UNNotificationResponse(
            shimNotification: UNNotification(shimRequest: request, date: Date()),
            actionIdentifier: action
        )
    }

    @Test("handlers that forward keep the native push analytics, and foreign pushes are the app's")
    func pushAnalytics() async throws {
        let noroshi = sdk()
        AppDelegate.noroshi = noroshi
        defer { AppDelegate.noroshi = nil }
        let app = AppDelegate()
        let center = UNUserNotificationCenter(shimName: "guide")
        let ours: [AnyHashable: Any] = [
            "noroshi": ["dispatch_id": UUID().uuidString], "push_no": "5",
        ]
        #expect(GuideDevice.wake(app, with: ours) == "newData")
        #expect(GuideDevice.wake(app, with: ["other": 1]) == "noData")
        var calls = 0
        app.userNotificationCenter(center, didReceive: response(ours)) { calls += 1 }
        app.userNotificationCenter(center, didReceive: response(["other": 1])) { calls += 1 }
        #expect(calls == 2)
        var options: UNNotificationPresentationOptions = []
        app.userNotificationCenter(center, willPresent: response(ours).notification) {
            options = $0
        }
        #expect(options == [.banner, .list, .sound])
        await noroshi.flush()
        #expect(ingest.records.compactMap(\.push).map(\.kind) == [.received, .opened])
    }

    @Test("what an extension left is sent by the guides' code or by one call of the SDK")
    func pendingData() async throws {
        let noroshi = sdk()
        AppDelegate.noroshi = noroshi
        defer { AppDelegate.noroshi = nil }
        let suite = "noroshi-guide-\(UUID().uuidString)"
        let storage = try #require(UserDefaults(suiteName: suite))
        defer { storage.removePersistentDomain(forName: suite) }
        storage.set(
            [["event_name": "won", "prize": "tea"]],
            forKey: RemoteStorageKey.pendingCustomEvents.rawValue
        )
        storage.set(
            [try PropertyListEncoder().encode(UserAttribute.email("ann@example.com"))],
            forKey: RemoteStorageKey.pendingUserAttributes.rawValue
        )
        let sender = PendingSender(remoteStorage: storage)
        sender.logPendingCustomEventsIfNecessary()
        sender.logPendingUserAttributesIfNecessary()
        sender.setCustomAttributesWith(keysAndValues: ["teams": ["a"]])
        sender.setCustomAttributesWith(keysAndValues: ["level": 3])
        sender.setEmail("ben@example.com")
        #expect(noroshi.user.email == "ben@example.com")
        #expect(try noroshi.importPendingExtensionData(from: storage).get() == 2)
        await noroshi.flush()
        #expect(
            ingest.records.compactMap(\.event?.properties)
                == Array(repeating: ["prize": "tea"], count: 3)
        )
        #expect(
            ingest.records.compactMap(\.attributes) == [
                ["email": "ann@example.com"], ["teams": ["a"]], ["level": 3],
                ["email": "ben@example.com"], ["email": "ann@example.com"],
            ]
        )
    }

    @Test("a content extension reads its pairs, names a missing one and answers its buttons")
    func contentExtension() {
        let controller = NotificationViewController()
        controller.didReceive(
            response(["YOUR-KEY-VALUE-PAIR": "a", "YOUR-OTHER-KEY-VALUE-PAIR": "b"]).notification
        )
        #expect(controller.values == ["a", "b"])
        controller.didReceive(response(["YOUR-KEY-VALUE-PAIR": "a"]).notification)
        #expect(controller.problem?.contains("YOUR-OTHER-KEY-VALUE-PAIR") == true)
        var options: [UNNotificationContentExtensionResponseOption] = []
        for action in ["YOUR-REGISTER-IDENTIFIER", "YOUR-OTHER-IDENTIFIER", "open"] {
            controller.didReceive(response([:], action: action)) { options.append($0) }
        }
        #expect(options == [.dismiss, .doNotDismiss, .dismissAndForwardAction])
    }

    @Test("the Rakuza snippets register, create a user, measure and clear")
    func rakuza() async throws {
        RKZService.sharedInstance().use(sdk())
        let app = RakuzaGuideApp()
        GuideDevice.give(Data([0xAB, 0x01]), to: app)
        #expect(await eventually { app.printed == ["registered"] })
        app.open(["push_no": "12"])
        #expect(await eventually { app.printed.last == "measured" })
        app.registUser()
        #expect(await eventually { app.printed.last == "push_device_token: 00ff" })
        app.clear()
        #expect(await eventually { app.printed.last == "cleared" })
        let service = RKZService.sharedInstance()
        await service.noroshi?.flush()
        let tokens = ingest.records.compactMap { record in
            if case .pushToken(let token) = record.content { token.token } else { nil }
        }
        #expect(Set(tokens).isSuperset(of: ["ab01"]))
        #expect(ingest.records.compactMap(\.push).map(\.pushNumber) == [12])
    }

    @Test("the app asks for permission and gets its device token")
    func registration() async throws {
        let center = UNUserNotificationCenter(shimName: "guide")
        center.shimSetPrompt { options in options == [.sound, .alert, .badge] }
        let delegate = RegisteringAppDelegate(center: center)
        let application = GuideDevice.register(delegate)
        #expect(await eventually { delegate.tokens == [Data([0xAB])] })
        withExtendedLifetime(application) {}
    }
}
