import Foundation
import Noroshi

/// Forwards payloads to the SDK, leaves foreign ones to the app, and logs an event of the app's own
/// from a key-value pair.
@main
struct PushAnalytics {
    static func main() async {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-example-\(UUID().uuidString)")
        var configuration = Noroshi.Configuration(apiKey: "example", endpoint: "127.0.0.1:1")
        configuration.storage.directory = folder
        configuration.api.requestPolicy = .manual
        let noroshi = Noroshi(configuration: configuration, platform: .none)
        noroshi.changeUser(userId: "ann")

        let updates = noroshi.notifications.subscribeToUpdates(payloadTypes: [.received]) {
            payload in
            guard let course = payload.extras["course"]?.stringValue else { return }
            noroshi.logCustomEvent(name: "course_offered", properties: ["course": course])
        }
        let ours = [
            "noroshi": #"{"dispatch_id":"\#(UUID().uuidString)"}"#, "push_no": "1",
            "course": "segments",
        ]
        for message in [ours, ["from": "another provider"]] {
            let isOurs = noroshi.notifications.handleRemoteMessage(message)
            print(isOurs ? "handled by Noroshi" : "left to the app")
        }
        updates.cancel()
        print("records that wait for the server: \(noroshi.pendingRecordCount)")
        // The folder is temporary; what is left of it does no harm.
        try? FileManager.default.removeItem(at: folder)
    }
}
