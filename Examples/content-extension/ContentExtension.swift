import Foundation
import NoroshiExtensions

/// The three patterns of an expanded notification, without a screen: what the views would do.
@main
struct ContentExtension {
    static func main() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-example-\(UUID().uuidString)")
        var configuration = NoroshiConfiguration(apiKey: "example", endpoint: "127.0.0.1:1")
        configuration.storage.directory = folder
        let context = NoroshiExtensionContext(configuration: configuration)

        // Personalised: progress of a course.
        let pairs: [AnyHashable: Any] = [
            "completed_session_count": "3", "total_session_count": "8",
            "next_session_name": "Segments", "next_session_complete_date": "2026-12-01",
        ]
        let progress = try NoroshiCourseProgress(NoroshiNotificationContent(userInfo: pairs))
        print("\(progress.percent) % done, next: \(progress.next?.name ?? "nothing")")

        // Information capture: an e-mail address.
        var capture = NoroshiInformationCapture(kind: .email, title: "Certification")
        capture.type("ann@example")
        print("the button is shown: \(capture.showsRegisterButton)")
        capture.type("ann@example.com")
        print("the button is shown: \(capture.showsRegisterButton)")
        context.perform(capture.register())
        context.perform(capture.finish())

        // Interactive: a wheel.
        guard var wheel = NoroshiSpinToWin(prizes: [.init(label: "10 %"), .init(label: "20 %")])
        else { return }
        var random = SystemRandomNumberGenerator()
        context.perform(wheel.spin(random: &random))
        print("won: \(wheel.result?.prize.label ?? "nothing")")
        // The folder is temporary; what is left of it does no harm.
        try? FileManager.default.removeItem(at: folder)
    }
}
