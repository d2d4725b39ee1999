import Foundation
import Noroshi
import NoroshiRakuza

/// The push calls of an app written for `RKZService`: token, open, clear.
@main
@MainActor
struct RakuzaMigration {
    static func main() async {
        let service = RKZService()
        let refused = await call { service.openPush("user", pushNo: 12, withBlock: $0) }
        print("before the tenant key: \(refused.statusCode.rawValue)")
        // An app calls `setTenantKey(_:)`. Nobody answers here; what is recorded waits.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-example-\(UUID().uuidString)")
        var configuration = Noroshi.Configuration(apiKey: "tenant", endpoint: "127.0.0.1:1")
        configuration.storage.directory = folder
        service.use(Noroshi(configuration: configuration, platform: .none))
        let registered = await call {
            service.registPushDeviceToken("user", deviceToken: "00ff", withBlock: $0)
        }
        print("token registered: \(registered.isSuccess)")
        let opened = await call { service.openPush("user", pushNo: 12, withBlock: $0) }
        print("open measured: \(opened.isSuccess)")
        let cleared = await call { service.clearPushDeviceToken("user", withBlock: $0) }
        print("token cleared: \(cleared.isSuccess)")
        // The folder is temporary; what is left of it does no harm.
        try? FileManager.default.removeItem(at: folder)
    }

    private static func call(
        _ body: (@escaping RKZService.StatusBlock) -> Void
    ) async -> RKZResponseStatus {
        await withCheckedContinuation { continuation in
            body { _, status in continuation.resume(returning: status) }
        }
    }
}
