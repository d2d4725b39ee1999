import Foundation

/// How the SDK reaches its server and how it behaves.
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
        /// The server, such as `push.example.com`; without a scheme, `https` is meant.
        public let endpoint: String
        /// Seconds between a record and the request that carries it; 10 at first.
        public var flushInterval: TimeInterval = 10
        /// When data is sent.
        public var requestPolicy: RequestPolicy = .automatic
        /// Whether the user's signed token goes along with every request.
        public var sdkAuthentication = false

        /// The server's address; `nil` if `endpoint` is none.
        package var url: URL? {
            let text = endpoint.contains("://") ? endpoint : "https://" + endpoint
            guard let url = URL(string: text), url.host != nil else { return nil }
            return url
        }
    }

    /// How pushes are handled.
    public struct Push: Sendable {
        /// Who opens the address of a tapped push.
        public enum LinkHandling: Sendable {
            /// The app's handler if there is one, otherwise the system, once the app is active.
            case automatic
            /// The app's handler; links wait for it, as at a cold start.
            case handler
        }

        /// The App Group that the app shares with its extensions, such as
        /// `group.com.example.app`. Needed for what extensions record.
        public var appGroup: String?
        /// Who opens the address of a tapped push.
        public var linkHandling = LinkHandling.automatic
        /// Whether the push service's environment is Apple's sandbox; `nil` decides by the
        /// build: a debug build registers with the sandbox.
        public var usesSandbox: Bool?
    }

    /// Where data waits.
    public struct Storage: Sendable {
        /// The folder; `nil` chooses the App Group's container, or Application Support without
        /// one.
        public var directory: URL?
        /// The most bytes of waiting records, 4 MB at first. When it is reached, the oldest
        /// events, sessions and message views are dropped first, then the oldest of all records.
        public var maximumBytes = 4 << 20
    }

    /// How data reaches the server.
    public var api: API
    /// How pushes are handled.
    public var push = Push()
    /// Where data waits.
    public var storage = Storage()
    /// Where the SDK's messages for the developer go.
    public var logger = NoroshiLogger()
    /// Seconds in the background after which a session has ended; 10 at first, at least 1.
    public var sessionTimeout: TimeInterval = 10
    /// The least number of seconds between two in-app messages; 30 at first.
    public var triggerMinimumTimeInterval: TimeInterval = 30
    /// Whether the user's acceptance of the system's prompt opts in to pushes.
    public var optInWhenPushAuthorized = true

    /// A configuration for the app with the SDK key `apiKey` on the server `endpoint`.
    public init(apiKey: String, endpoint: String) {
        api = API(key: apiKey, endpoint: endpoint)
    }
}
