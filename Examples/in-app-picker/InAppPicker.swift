import Foundation
import Noroshi

/// A message whose `view_type` names a view of the app's own: the text is the list, the choice goes
/// into the attribute that `attribute_key` names.
@main
struct InAppPicker {
    static func main() async {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-example-\(UUID().uuidString)")
        var configuration = Noroshi.Configuration(apiKey: "example", endpoint: "127.0.0.1:1")
        configuration.storage.directory = folder
        configuration.api.requestPolicy = .manual
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        let noroshi = Noroshi(configuration: configuration, platform: platform)

        var message = InAppMessage(
            id: "picker",
            kind: .modal,
            message: "tea, coffee, water",
            rules: InAppMessageRules(triggers: [.event(name: "sat_down", filters: [])])
        )
        message.extras = ["view_type": "picker", "attribute_key": "drink"]
        noroshi.inAppMessages.replace(with: [message])
        let presenter = Picker()
        noroshi.inAppMessages.presenter = presenter
        noroshi.logCustomEvent(name: "sat_down")
        for await choice in presenter.choices { print("chosen: \(choice)") }
        print("records that wait for the server: \(noroshi.pendingRecordCount)")
        // The folder is temporary; what is left of it does no harm.
        try? FileManager.default.removeItem(at: folder)
    }
}

/// A picker in place of a screen: it takes the first item.
final class Picker: NoroshiInAppMessagePresenter {
    let choices: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (choices, continuation) = AsyncStream.makeStream()
    }

    func present(_ context: NoroshiInAppMessageContext) {
        defer { continuation.finish() }
        guard context.message.extras?["view_type"] == "picker", let item = context.items.first
        else {
            context.close()
            return
        }
        context.logImpression()
        context.setAttribute(item)
        context.processClick()
        continuation.yield(item)
    }

    func dismiss() {}
}
