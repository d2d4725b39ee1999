import Model
import NoroshiWire
import Ports
import PushHTTP

extension FCMTransport {
    /// Tests an app's service account with a message that Google only validates (`validate_only`),
    /// to a device that does not exist.
    ///
    /// It uses the current access token; only the first use of an account requests one.
    package func testCredentials(
        app: AppID,
        deadline: Duration = .seconds(15)
    ) async -> CredentialTestOutcome {
        let outcome = await send(app: app, deadline: deadline) {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("validate_only", true)
                writer.key("message")
                writer.object { writer in
                    writer.member("token", "noroshi-credential-test")
                    writer.key("data")
                    writer.object { $0.member("noroshi", "test") }
                }
            }
            return writer.bytes
        }
        switch outcome {
        case .accepted:
            return .works
        case .rejected(let rejection):
            // Google checks the device only after the account and its project.
            let isAboutDevice = ["INVALID_ARGUMENT", "UNREGISTERED", "SENDER_ID_MISMATCH"]
                .contains(rejection.reason)
            return isAboutDevice
                ? .works : .refused(reason: rejection.reason, advice: rejection.advice)
        case .retry(let reason, _), .unknown(let reason):
            return .unanswered(reason: reason)
        }
    }
}
