import Foundation

/// The SDK's server and settings.
public struct NoroshiConfiguration: Sendable {
    /// How data reaches the server.
    public struct API: Sendable {
        /// When data is sent.
        public enum RequestPolicy: Sendable {
            /// Soon after it is recorded.
            case automatic
            /// When the app calls `requestImmediateDataFlush()`.
            case manual
        }

        /// The SDK key of the app, from the console.
        public let key: String
        /// The server, such as `push.example.com`; without a scheme, `https` is used.
        public let endpoint: String
        /// Maximum delay between a record and the request that sends it, in seconds; 10 by default.
        public var flushInterval: TimeInterval = 10
        /// When data is sent.
        public var requestPolicy: RequestPolicy = .automatic
        /// Whether every request includes the user's signed token.
        public var sdkAuthentication = false

        /// The server's URL; `nil` if `endpoint` is invalid.
        package var url: URL? {
            let text = endpoint.contains("://") ? endpoint : "https://" + endpoint
            guard let url = URL(string: text), url.host != nil else { return nil }
            return url
        }
    }

    /// How pushes are handled.
    public struct Push: Sendable {
        /// The handler of links in tapped pushes.
        public enum LinkHandling: Sendable {
            /// The app's handler if there is one, otherwise the system, once the app is active.
            case automatic
            /// The app's handler; links wait until it is set, even at a cold start.
            case handler
        }

        /// The App Group that the app shares with its extensions, such as `group.com.example.app`.
        /// Required for records made by extensions.
        public var appGroup: String?
        /// The handler of links in tapped pushes.
        public var linkHandling = LinkHandling.automatic
        /// Whether pushes use Apple's sandbox; `nil` depends on the build: a debug build registers
        /// with the sandbox.
        public var usesSandbox: Bool?
    }

    /// The storage of waiting records.
    public struct Storage: Sendable {
        /// The folder; `nil` uses the App Group's container, or Application Support without an App
        /// Group.
        public var directory: URL?
        /// Maximum size of waiting records in bytes, 4 MB by default. When it is reached, the
        /// oldest events, sessions and message views are dropped first, then the oldest of all
        /// records.
        public var maximumBytes = 4 << 20
    }

    /// How data reaches the server.
    public var api: API
    /// How pushes are handled.
    public var push = Push()
    /// The storage of waiting records.
    public var storage = Storage()
    /// The destination of the SDK's log messages.
    public var logger = NoroshiLogger()
    /// Seconds in the background after which a session ends; 10 by default, at least 1.
    public var sessionTimeout: TimeInterval = 10
    /// Minimum time between two in-app messages, in seconds; 30 by default.
    public var triggerMinimumTimeInterval: TimeInterval = 30
    /// Whether accepting the system's prompt opts in the user to pushes.
    public var optInWhenPushAuthorized = true

    /// A configuration for the app with the SDK key `apiKey` on the server `endpoint`.
    public init(apiKey: String, endpoint: String) {
        api = API(key: apiKey, endpoint: endpoint)
    }
}
