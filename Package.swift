// swift-tools-version: 6.2
import PackageDescription

// A table of layers: see docs/architecture.md. Only the client libraries are products, because an
// app resolves the dependencies of every declared product of a package, whether it uses it or not.

// Errors where we work. Xcode does not silence the warnings of a package that an app checks out beside
// itself, and a later compiler may have new ones.
#if os(Linux)
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

let swiftSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warnings

// Declarations of Apple's modules, so that Apple-only sources compile and run on Linux.
#if os(Linux)
let appleShims = [
    "UserNotifications", "UIKit", "AppKit", "UserNotificationsUI", "WebKit", "SafariServices",
    "SwiftUI",
]
#else
let appleShims: [String] = []
#endif

let appleShimDependencies: [String: [Target.Dependency]] = [
    "UserNotificationsUI": ["UIKit", "UserNotifications"],
    "WebKit": ["UIKit"],
    "SafariServices": ["UIKit"],
    "SwiftUI": ["UIKit"],
]

func layer(
    _ folder: String,
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource] = [],
    exclude: [String] = []
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(folder)/\(name)",
        exclude: exclude,
        resources: resources,
        swiftSettings: swiftSettings
    )
}

/// Xcode shows the articles of a catalogue among a target's sources; elsewhere DocC is called by
/// itself, and the catalogue would be an unknown file.
func documentation(_ catalogue: String) -> [String] {
    #if os(macOS)
    []
    #else
    [catalogue]
    #endif
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Sources/Apps/\(name)",
        swiftSettings: swiftSettings
    )
}

/// What only benchmarks and tests use.
func benchmark(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Benchmarks/\(name)",
        swiftSettings: swiftSettings
    )
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "example-\(name)",
        dependencies: dependencies,
        path: "Examples/\(name)",
        swiftSettings: swiftSettings
    )
}

func tests(
    _ folder: String,
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: dependencies,
        path: "Tests/\(folder)\(name)Tests",
        exclude: exclude,
        swiftSettings: swiftSettings
    )
}

extension Target.Dependency {
    static let hummingbird = product(name: "Hummingbird", package: "hummingbird")
    static let hummingbirdCore = product(name: "HummingbirdCore", package: "hummingbird")
    static let hummingbirdTesting = product(name: "HummingbirdTesting", package: "hummingbird")
    static let mustache = product(name: "Mustache", package: "swift-mustache")
    static let grdb = product(name: "GRDB", package: "GRDB.swift")
    static let yams = product(name: "Yams", package: "Yams")
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")
    static let httpTypes = product(name: "HTTPTypes", package: "swift-http-types")
    static let nioCore = product(name: "NIOCore", package: "swift-nio")
    static let nioPosix = product(name: "NIOPosix", package: "swift-nio")
    static let nioTLS = product(name: "NIOTLS", package: "swift-nio")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")
    static let nioHTTP1 = product(name: "NIOHTTP1", package: "swift-nio")
    static let nioHTTP2 = product(name: "NIOHTTP2", package: "swift-nio-http2")
    static let nioHTTPTypes = product(name: "NIOHTTPTypes", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP1 = product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
    static let nioHTTPTypesHTTP2 = product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
    static let nioHPACK = product(name: "NIOHPACK", package: "swift-nio-http2")
    static let crypto = product(name: "Crypto", package: "swift-crypto")
    static let cryptoExtras = product(name: "_CryptoExtras", package: "swift-crypto")
    static let x509 = product(name: "X509", package: "swift-certificates")
    static let asn1 = product(name: "SwiftASN1", package: "swift-asn1")
    static let argumentParser = product(name: "ArgumentParser", package: "swift-argument-parser")
    static let configuration = product(name: "Configuration", package: "swift-configuration")
    static let system = product(name: "SystemPackage", package: "swift-system")
    static let logging = product(name: "Logging", package: "swift-log")
    static let coreMetrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let signals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let lifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
    static let httpClient = product(name: "AsyncHTTPClient", package: "async-http-client")
}

let shimDependencies = appleShims.map { Target.Dependency.target(name: $0) }

// Client: ships inside other people's apps; Foundation and system frameworks only.
let client: [Target] =
    [
        layer("Client", "NoroshiWire"),
        // Every product links this one, and so takes the manifest into apps and extensions.
        layer(
            "Client",
            "NoroshiOutbox",
            ["NoroshiWire"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        layer(
            "Client",
            "Noroshi",
            ["NoroshiOutbox", "NoroshiWire"] + shimDependencies,
            exclude: documentation("Noroshi.docc")
        ),
        layer("Client", "NoroshiExtensions", ["NoroshiOutbox", "NoroshiWire"] + shimDependencies),
        layer(
            "Client",
            "NoroshiContent",
            ["NoroshiExtensions", "NoroshiOutbox", "NoroshiWire"] + shimDependencies
        ),
        layer(
            "Client",
            "NoroshiUI",
            ["Noroshi", "NoroshiContent", "NoroshiExtensions", "NoroshiOutbox", "NoroshiWire"]
                + shimDependencies
        ),
        layer("Client", "NoroshiAdmin", ["NoroshiOutbox", "NoroshiWire"]),
        layer("Client", "NoroshiRakuza", ["Noroshi", "NoroshiOutbox"]),

        // Tests.
        .target(
            name: "ClientTesting",
            dependencies: ["NoroshiOutbox", "NoroshiWire"],
            path: "Tests/Support/ClientTesting",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "outbox-writer",
            dependencies: ["NoroshiOutbox"],
            path: "Tests/Support/outbox-writer",
            swiftSettings: swiftSettings
        ),
        tests("Client/", "NoroshiWire", ["NoroshiWire", "NoroshiOutbox"]),
        tests(
            "Client/",
            "NoroshiOutbox",
            ["NoroshiOutbox", "NoroshiWire", "ClientTesting", "outbox-writer"]
        ),
        tests(
            "Client/",
            "Noroshi",
            ["Noroshi", "NoroshiOutbox", "NoroshiWire", "ClientTesting"] + shimDependencies
        ),
        tests(
            "Client/",
            "NoroshiExtensions",
            ["NoroshiExtensions", "NoroshiOutbox", "NoroshiWire", "ClientTesting"]
                + shimDependencies
        ),
        tests(
            "Client/",
            "NoroshiAdmin",
            ["NoroshiAdmin", "NoroshiOutbox", "NoroshiWire", "ClientTesting"]
        ),
        tests(
            "Client/",
            "NoroshiRakuza",
            ["NoroshiRakuza", "Noroshi", "NoroshiOutbox", "NoroshiWire", "ClientTesting"]
        ),
        tests(
            "Client/",
            "NoroshiUI",
            [
                "NoroshiContent", "NoroshiUI", "Noroshi", "NoroshiOutbox", "NoroshiWire",
                "ClientTesting",
            ] + shimDependencies
        ),
        // The guides' app, for the tests that run it.
        .target(
            name: "GuideScreens",
            dependencies: ["Noroshi", "NoroshiUI"] + shimDependencies,
            path: "Tests/Support/GuideScreens",
            swiftSettings: swiftSettings
        ),
        tests(
            "Client/",
            "GuideSnippets",
            [
                "GuideScreens", "Noroshi", "NoroshiExtensions", "NoroshiOutbox", "NoroshiRakuza",
                "NoroshiUI",
                "NoroshiWire", "ClientTesting",
            ] + shimDependencies
        ),
        tests("Client/", "Documentation", []),
        tests("Consumer/", "Consumer", []),

        // Examples: one small program for each guide.
        example("push-analytics", ["Noroshi"]),
        example("content-extension", ["NoroshiExtensions"]),
        example("in-app-picker", ["Noroshi"]),
        example("rakuza-migration", ["NoroshiRakuza"]),
        tests(
            "Client/",
            "Examples",
            [
                "example-push-analytics", "example-content-extension", "example-in-app-picker",
                "example-rakuza-migration",
            ]
        ),
    ]
    + appleShims.map { name in
        .target(
            name: name,
            dependencies: appleShimDependencies[name] ?? [],
            path: "AppleShims/\(name)",
            swiftSettings: swiftSettings
        )
    }

// Core: rules without input, output, clock or randomness.
let core: [Target] = [
    layer("Core", "JSON", ["Reasons", "NoroshiWire"]),
    layer("Core", "Reasons"),
    layer("Core", "Model", ["Reasons", "JSON", "NoroshiWire", .crypto]),
    layer("Core", "Liquid", ["Reasons", .crypto], exclude: ["README.md"]),
    layer("Core", "Scheduling", ["Model"]),
    layer("Core", "Segments", ["Reasons"], exclude: ["README.md"]),
    layer("Core", "Reports", ["Reasons", "JSON", "Model", "Segments", "NoroshiWire"]),
    layer("Core", "Experiments"),

    // Tests.
    .target(name: "Growth", path: "Tests/Support/Growth", swiftSettings: swiftSettings),
    tests("Core/", "Segments", ["Segments", "Growth"], exclude: ["Corpus"]),
    tests("Core/", "Reports", ["Reports", "Reasons", "Model", "Segments"]),
    tests("Core/", "Experiments", ["Experiments"]),
    tests("Core/", "Model", ["Model", "Reasons", "NoroshiWire"]),
    tests("Core/", "JSON", ["JSON", "NoroshiWire"], exclude: ["Corpus"]),
    tests("Core/", "Liquid", ["Liquid", "Growth"], exclude: ["Cases", "Corpus"]),
    tests("Core/", "Scheduling", ["Scheduling", "Model"]),
]

// Ports: what the services need from the outside, in the domain's verbs. Stores: one adapter for
// each database.
let stores: [Target] = [
    .target(
        name: "Ports",
        dependencies: ["Reasons", "Model", "JSON", "Liquid", "Segments", "NoroshiWire"],
        path: "Sources/Ports",
        swiftSettings: swiftSettings
    ),
    // libpq is loaded when a database of PostgreSQL is opened.
    layer("Stores", "PostgresClient"),
    .target(
        name: "CSQLite",
        path: "Sources/Stores/CSQLite",
        linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    layer("Stores", "Relational", ["CSQLite", "PostgresClient", .grdb, .sqlite]),
    layer(
        "Stores",
        "StoreSQL",
        [
            "Reasons", "Ports", "Model", "JSON", "Relational", "Scheduling", "Segments",
            "NoroshiWire", .grdb, .sqlite,
        ]
    ),

    // Tests.
    .target(
        name: "ContentTesting",
        dependencies: ["Ports", "Model", "Liquid"],
        path: "Tests/Support/ContentTesting",
        swiftSettings: swiftSettings
    ),
    .target(
        name: "PostgresTesting",
        dependencies: ["PostgresClient"],
        path: "Tests/Support/PostgresTesting",
        swiftSettings: swiftSettings
    ),
    .target(
        name: "StoreConformance",
        dependencies: ["Ports", "Model", "NoroshiWire", "Segments", "StoreTesting"],
        path: "Tests/Support/StoreConformance",
        swiftSettings: swiftSettings
    ),
    .target(
        name: "StoreTesting",
        dependencies: ["StoreSQL", "PostgresClient", "PostgresTesting"],
        path: "Tests/Support/StoreTesting",
        swiftSettings: swiftSettings
    ),
    .target(
        name: "RehearsalTesting",
        dependencies: ["StoreSQL", "StoreTesting"],
        path: "Tests/Support/RehearsalTesting",
        swiftSettings: swiftSettings
    ),
    tests("Stores/", "PostgresClient", ["PostgresClient", "PostgresTesting"]),
    tests("Stores/", "Relational", ["Relational", "PostgresClient", "PostgresTesting", .grdb]),
    tests(
        "Stores/",
        "StoreSQL",
        [
            "Reasons", "PostgresTesting", "Relational", "StoreSQL", "StoreConformance",
            "StoreTesting", "Ports", "Model", "NoroshiWire", "Segments",
            .grdb,
            .sqlite,
        ]
    ),
]

// Services: the product's verbs.
let services: [Target] = [
    layer(
        "Services",
        "Accounts",
        ["Reasons", "Ports", "Model", "Liquid", .crypto, .cryptoExtras, .logging]
    ),
    layer("Services", "Credentials", ["Reasons", "Ports", "Model", .crypto, .logging, .lifecycle]),
    layer("Services", "Analytics", ["Ports", "Model", .lifecycle]),
    layer("Services", "Servers", ["Analytics", "Ports", .logging, .lifecycle]),
    layer("Services", "Retention", ["WorkLoops", "Ports", "Model", .logging, .lifecycle]),
    layer(
        "Services",
        "Facts",
        [
            "WorkLoops", "Reasons", "Ingestion", "Ports", "Model", "JSON", "Liquid", "NoroshiWire",
            .crypto,
            .logging, .lifecycle,
        ]
    ),
    layer("Services", "Monitoring", [.coreMetrics, .tracing]),
    layer("Services", "WorkLoops", [.logging, .lifecycle]),
    layer(
        "Services",
        "Ingestion",
        [
            "Reasons", "Analytics", "Monitoring", "Ports", "Model", "JSON", "NoroshiWire",
            .coreMetrics, .logging, .lifecycle, .tracing,
        ]
    ),
    layer(
        "Services",
        "Users",
        ["Reasons", "Analytics", "Ingestion", "Ports", "Model", "Liquid", "NoroshiWire"]
    ),
    layer(
        "Services",
        "Transfers",
        ["Ingestion", "Ports", "Model", "JSON", "NoroshiWire", .crypto]
    ),
    layer("Services", "News", ["Reasons", "Ports", "Model", "NoroshiWire"]),
    layer("Services", "Drafts", ["Ports", "Model"]),
    layer(
        "Services",
        "Campaigns",
        [
            "WorkLoops", "Reasons", "Experiments", "Ports", "Model", "Scheduling", "Liquid", "JSON",
            "Monitoring", "NoroshiWire", .logging, .lifecycle, .crypto, .tracing,
        ]
    ),
    layer(
        "Services",
        "Content",
        ["Campaigns", "Reasons", "Liquid", "Ports", "Model", "NoroshiWire"]
    ),
    layer(
        "Services",
        "Delivery",
        [
            "Analytics", "Campaigns", "Monitoring", "Reasons", "Scheduling", "Ports", "Model",
            .coreMetrics, .logging, .lifecycle,
        ]
    ),

    layer(
        "Services",
        "Audience",
        [
            "WorkLoops", "Reasons", "Experiments", "JSON", "Liquid", "Ports", "Model", "Reports",
            "Segments",
            "NoroshiWire", .crypto, .logging, .lifecycle,
        ]
    ),
    layer(
        "Services",
        "InAppMessages",
        [
            "Reasons", "Analytics", "Audience", "Campaigns", "Experiments", "Scheduling", "Liquid",
            "Ports", "Model", "NoroshiWire",
        ]
    ),
    layer(
        "Services",
        "Sends",
        [
            "Reasons", "Analytics", "Audience", "Campaigns", "Scheduling", "Segments", "Liquid",
            "Ports",
            "Model", "NoroshiWire",
        ]
    ),
    layer(
        "Services",
        "Journeys",
        [
            "WorkLoops", "Reasons", "Campaigns", "Experiments", "Scheduling", "Liquid", "Ports",
            "Model", "JSON",
            "NoroshiWire",
            .logging, .lifecycle, .crypto,
        ]
    ),
    layer(
        "Services",
        "ContentFiles",
        [
            "Audience", "Campaigns", "Content", "InAppMessages", "Ingestion", "Journeys", "News",
            "Segments", "Reasons", "JSON", "Ports", "Model", "NoroshiWire", .crypto,
        ]
    ),
    layer(
        "Services",
        "ContentFolders",
        [
            "ContentFiles", "Ingestion", "Reasons", "JSON", "Ports", "Model", "NoroshiWire",
            .crypto,
            .yams,
        ]
    ),
    layer(
        "Services",
        "Rehearsals",
        [
            "Audience", "Campaigns", "Delivery", "InAppMessages", "Ingestion", "Journeys",
            "Scheduling", "Sends", "Liquid", "JSON", "Ports", "Model", "Reasons", "NoroshiWire",
            .crypto, .logging, .lifecycle,
        ]
    ),
    benchmark("SyntheticAudience", ["Segments"]),

    // Tests.
    tests(
        "Services/",
        "Rehearsals",
        [
            "Audience", "Campaigns", "Delivery", "InAppMessages", "Journeys", "Liquid",
            "RehearsalTesting", "Rehearsals", "Scheduling",
            "StoreSQL", "StoreTesting",
            "Ports", "Model", "NoroshiWire", .logging, .lifecycle,
        ]
    ),
    tests(
        "Services/",
        "Audience",
        [
            "Audience", "Reports", "Segments", "SyntheticAudience", "StoreSQL", "StoreTesting",
            "Ports", "Model",
            "Liquid", "Reasons", "NoroshiWire", .crypto, .logging,
        ]
    ),
    tests(
        "Services/",
        "MessageContent",
        [
            "Campaigns", "Content", "StoreSQL", "StoreTesting", "StoreConformance",
            "ContentTesting", "Ports",
            "Model", "Liquid", "NoroshiWire", "Reasons",
        ]
    ),
    tests(
        "Services/",
        "Accounts",
        [
            "Accounts", "Credentials", "StoreSQL", "StoreTesting", "StoreConformance", "Ports",
            "Model",
            "Reasons", "JSON", "Liquid", "NoroshiWire", .crypto, .cryptoExtras, .logging,
        ]
    ),
    tests(
        "Services/",
        "Credentials",
        [
            "Credentials", "StoreSQL", "StoreTesting", "StoreConformance", "Ports", "Model",
            "Reasons", .crypto,
        ]
    ),
    tests(
        "Services/",
        "Sends",
        [
            "Sends", "Analytics", "Audience", "Campaigns", "Liquid", "Reasons", "Segments",
            "StoreSQL", "StoreTesting", "StoreConformance", "ContentTesting", "Ports", "Model",
            "NoroshiWire",
            .logging,
        ]
    ),
    tests(
        "Services/",
        "InAppMessages",
        [
            "InAppMessages", "Audience", "Campaigns", "Content", "Liquid", "StoreSQL",
            "StoreTesting", "StoreConformance", "ContentTesting", "Ports", "Model", "Reasons",
            "NoroshiWire", .logging,
        ]
    ),
    tests(
        "Services/",
        "ContentFiles",
        [
            "Campaigns", "ContentFiles", "ContentFolders", "Segments", "StoreSQL",
            "StoreTesting",
            "StoreConformance", "Ports", "JSON", "Model", "NoroshiWire",
        ]
    ),
    tests(
        "Services/",
        "Content",
        [
            "Campaigns", "Content", "StoreSQL", "StoreTesting", "StoreConformance", "Ports",
            "Model", "Liquid",
            "NoroshiWire",
        ]
    ),
    tests(
        "Services/",
        "Drafts",
        ["Drafts", "StoreSQL", "StoreTesting", "StoreConformance", "Ports", "Model"]
    ),
    tests(
        "Services/",
        "Users",
        [
            "Analytics", "Users", "StoreSQL", "StoreTesting", "StoreConformance", "Ports",
            "Model",
            "NoroshiWire",
        ]
    ),
    tests(
        "Services/",
        "News",
        [
            "News", "StoreSQL", "StoreTesting", "StoreConformance", "Ports", "Model",
            "NoroshiWire",
        ]
    ),
    tests(
        "Services/",
        "Delivery",
        [
            "Analytics", "Audience", "Campaigns", "Delivery", "Scheduling", "StoreSQL",
            "StoreTesting",
            "StoreConformance", "ContentTesting", "Ports", "Model", "Liquid", "NoroshiWire",
            .logging,
            .lifecycle,
        ]
    ),
    tests(
        "Services/",
        "Campaigns",
        [
            "Audience", "Campaigns", "Delivery", "Experiments", "Scheduling", "Segments",
            "Relational", "StoreSQL", "StoreTesting", "StoreConformance", "Ports", "Model",
            "Reasons", "NoroshiWire", .crypto, .grdb, .logging,
        ]
    ),
    tests(
        "Services/",
        "Journeys",
        [
            "Journeys", "Audience", "Campaigns", "Experiments", "InAppMessages", "Liquid",
            "Scheduling", "StoreSQL", "StoreTesting", "StoreConformance", "Ports", "Model",
            "Reasons",
            "NoroshiWire", .crypto, .logging,
        ]
    ),
    tests(
        "Services/",
        "Facts",
        [
            "Facts", "Credentials", "StoreSQL", "StoreTesting", "StoreConformance", "Ports",
            "Model", "JSON",
            "Liquid", "Reasons", "NoroshiWire", .crypto, .grdb, .logging,
        ]
    ),
    tests("Services/", "Monitoring", ["Monitoring", .coreMetrics, .tracing]),
    tests(
        "Services/",
        "Servers",
        [
            "Servers", "Analytics", "StoreSQL", "StoreTesting", "Ports", "Model", .logging,
            .lifecycle,
        ]
    ),
    tests(
        "Services/",
        "Retention",
        [
            "Retention", "Accounts", "Audience", "Relational", "Reports", "Segments", "StoreSQL",
            "StoreTesting",
            "StoreConformance", "Ports", "Model", "NoroshiWire", .grdb, .logging,
        ]
    ),
    tests(
        "Services/",
        "Ingestion",
        [
            "Analytics", "Ingestion", "Monitoring", "StoreSQL", "Relational", "StoreTesting",
            "StoreConformance", "Ports",
            "Model", "JSON", "NoroshiWire", .logging, .lifecycle,
        ]
    ),
]

// Transports: the push providers' clients.
let transports: [Target] = [
    .target(name: "CPKCS12", path: "Sources/Transports/CPKCS12"),
    layer("Transports", "ServerNames", [.nioSSL, .x509, .asn1]),
    layer(
        "Transports",
        "PushHTTP",
        [
            "CPKCS12", "ServerNames", "Ports", "Model", "Reasons", "NoroshiWire", .nioCore,
            .nioPosix, .nioTLS,
            .nioSSL,
            .nioHPACK,
            .crypto, .logging,
        ]
    ),
    layer(
        "Transports",
        "APNs",
        [
            "PushHTTP", "Ports", "Model", "Reasons", "NoroshiWire", .nioCore, .crypto, .x509, .asn1,
            .logging,
        ]
    ),
    layer(
        "Transports",
        "FCM",
        ["PushHTTP", "Ports", "Model", "Reasons", "NoroshiWire", .nioCore, .cryptoExtras, .logging]
    ),
    layer(
        "Transports",
        "WebPush",
        [
            "PushHTTP", "Ports", "Model", "Reasons", "NoroshiWire", .nioCore, .crypto, .logging,
        ]
    ),
    layer(
        "Transports",
        "ConnectedContent",
        [
            "Reasons", "ServerNames", "Ports", "Model", "Liquid", .nioCore, .nioPosix, .nioHTTP1,
            .nioSSL, .httpClient, .logging,
        ]
    ),
    layer(
        "Transports",
        "ObjectStorage",
        [.crypto, .httpClient, .nioCore, .nioPosix, .nioHTTP1, .nioSSL]
    ),
    // A store of objects that checks every signature by a calculation of its own.
    .target(
        name: "BucketTesting",
        dependencies: [.crypto, .nioCore, .nioPosix, .nioHTTP1, .nioSSL],
        path: "Tests/Support/BucketTesting",
        swiftSettings: swiftSettings
    ),
    tests(
        "Transports/",
        "ObjectStorage",
        ["ObjectStorage", "BucketTesting", "Gateways", .nioHTTP1, .nioSSL]
    ),
    tests(
        "Transports/",
        "ConnectedContent",
        [
            "ConnectedContent", "Gateways", "Ports", "Model", "Liquid", "Reasons", .nioCore,
            .nioPosix, .nioHTTP1,
            .nioSSL, .logging,
        ]
    ),
    .target(
        name: "PushTesting",
        dependencies: ["Gateways", "Ports"],
        path: "Tests/Support/PushTesting",
        swiftSettings: swiftSettings
    ),
    tests(
        "Transports/",
        "PushHTTP",
        ["PushHTTP", "Gateways", .nioCore, .nioPosix, .nioSSL, .logging]
    ),
    tests(
        "Transports/",
        "APNs",
        [
            "APNs", "PushHTTP", "PushTesting", "Gateways", "Ports", "Model", "Reasons",
            "NoroshiWire",
            .nioCore, .nioPosix, .crypto, .logging,
        ]
    ),
    tests(
        "Transports/",
        "FCM",
        [
            "FCM", "PushHTTP", "PushTesting", "Gateways", "Ports", "Model", "Reasons",
            "NoroshiWire",
            .nioPosix, .cryptoExtras, .logging,
        ]
    ),
    tests(
        "Transports/",
        "WebPush",
        [
            "WebPush", "PushHTTP", "PushTesting", "Gateways", "Ports", "Model",
            .nioCore, .nioPosix, .crypto, .logging,
        ]
    ),
]

let benchmarks: [Target] = [
    .executableTarget(
        name: "noroshi-bench",
        dependencies: [
            "APNs", "WebPush", "PushHTTP", "Gateways", "Ports", "Model", "Segments", "Audience",
            "Reports", "Experiments", "Journeys", "SyntheticAudience", "Liquid", "Ingestion",
            "JSON", "Rehearsals", "Retention", "Scheduling",
            "Analytics", "Campaigns",
            "Delivery", "Monitoring", "StoreSQL", "NoroshiWire", .sqlite, .nioCore, .nioPosix,
            .crypto,
            .logging, .argumentParser,
        ],
        path: "Benchmarks/noroshi-bench",
        swiftSettings: swiftSettings
    )
]

// Simulation: the providers' services; never imports the code it judges.
let gateways: [Target] = [
    layer(
        "Simulation",
        "Gateways",
        [
            "Model", "JSON", "NoroshiWire", .nioCore, .nioPosix, .nioTLS, .nioSSL, .nioHTTP1,
            .nioHTTP2, .nioHPACK, .crypto, .cryptoExtras, .x509, .asn1, .logging,
        ]
    )
]

let devices: [Target] = [
    layer(
        "Simulation",
        "Devices",
        ["Noroshi", "NoroshiContent", "NoroshiExtensions", "NoroshiOutbox", "NoroshiWire"]
            + shimDependencies
    ),
    tests(
        "Simulation/",
        "Gateways",
        [
            "Gateways", "PushHTTP", "WebPush", "Model", "NoroshiWire", .nioCore, .nioPosix, .nioSSL,
            .crypto, .cryptoExtras, .logging,
        ]
    ),
    tests("Simulation/", "Devices", ["Devices", "NoroshiWire", "ClientTesting"]),
]

// Web: what is spoken over HTTP. CWebFiles holds templates, words and assets inside the binary.
let web: [Target] = [
    layer(
        "Web",
        "API",
        [
            "Accounts", "Analytics", "Audience", "Campaigns", "Content", "ContentFiles",
            "ContentFolders", "Delivery", "Experiments", "Facts", "InAppMessages", "Ingestion",
            "Journeys", "News", "Rehearsals", "Reports", "Retention", "Scheduling", "Segments",
            "Sends", "Users", "Model", "Reasons",
            "JSON", "Liquid", "NoroshiWire", "WebPages",
            "Front", .hummingbird, .httpTypes, .logging, .nioCore, .crypto,
        ],
        exclude: ["Templates", "Assets"]
    ),
    .target(name: "CWebFiles", path: "Sources/Web/CWebFiles"),
    layer(
        "Web",
        "Front",
        [
            "Model", "Monitoring", .hummingbird, .hummingbirdCore, .httpTypes, .coreMetrics,
            .logging, .nioCore, .nioHTTP1, .nioHTTPTypes, .nioHTTPTypesHTTP1, .nioHTTPTypesHTTP2,
            .nioHTTP2, .nioSSL, .nioTLS, .tracing,
        ]
    ),
    layer(
        "Web",
        "WebPages",
        [
            "CWebFiles", "Reasons", .hummingbird, .mustache, .crypto, .httpTypes, .nioCore,
            .lifecycle,
        ]
    ),
    layer(
        "Web",
        "Console",
        [
            "Accounts", "Analytics", "Audience", "Campaigns", "Content", "ContentFolders",
            "Credentials", "Delivery",
            "Drafts", "Experiments", "Facts", "InAppMessages", "Journeys", "News", "Rehearsals",
            "Reports", "Retention",
            "Sends", "Users",
            "WebPages", "Front",
            "JSON",
            "NoroshiWire", "Scheduling", "Segments", "Liquid", "Model", .hummingbird,
            .crypto, .httpTypes, .nioCore, .logging,
        ],
        exclude: ["Templates", "Words", "Assets"]
    ),
    layer(
        "Web",
        "Phones",
        ["WebPages", .hummingbird, .httpTypes, .nioCore],
        exclude: ["Templates", "Words", "Assets"]
    ),

    tests("Web/", "WebPages", ["WebPages"]),
    tests(
        "Web/",
        "Front",
        [
            "Front", "Model", "Monitoring", .hummingbird, .hummingbirdTesting, .httpTypes,
            .logging, .nioCore, .nioPosix,
        ]
    ),
    tests(
        "Web/",
        "API",
        [
            "API", "Accounts", "Analytics", "Audience", "Campaigns", "Content", "ContentFiles",
            "ContentFolders", "Credentials", "Delivery", "Facts", "Front", "InAppMessages",
            "Ingestion", "Journeys", "News", "RehearsalTesting", "Rehearsals", "Retention", "Sends",
            "Users", "StoreSQL",
            "StoreTesting", "StoreConformance", "ContentTesting", "Ports", "Model", "Segments",
            "JSON", "NoroshiWire",
            .hummingbird, .hummingbirdTesting, .httpTypes, .lifecycle, .logging, .nioCore, .crypto,
            .cryptoExtras,
        ]
    ),
    tests(
        "Web/",
        "Console",
        [
            "Accounts", "API", "Campaigns", "Console", "ContentFiles", "ContentFolders",
            "Experiments", "Liquid", "Model", "Ports",
            "Reasons", "Reports", "SampleWorkspace", "Segments",
            "ConnectedContent", "JSON", "NoroshiWire",
            "Server", "WebPages", .crypto, .cryptoExtras, .hummingbird, .hummingbirdTesting,
            .httpTypes, .lifecycle,
            .logging,
        ]
    ),
    tests(
        "Web/",
        "Phones",
        ["SampleWorkspace", "Phones", "WebPages", .hummingbird, .hummingbirdTesting, .httpTypes]
    ),
]

// Apps: the only place that wires concrete parts. Packages name the commit that they are built of
// (Scripts/package); other builds do not, or each commit would be linked anew.
let apps: [Target] = [
    .target(
        name: "CBuildInfo",
        path: "Sources/Apps/CBuildInfo",
        cSettings: Context.environment["NOROSHI_COMMIT"]
            .map { [.define("NOROSHI_COMMIT", to: $0)] }
    ),
    layer(
        "Apps",
        "Server",
        [
            "CBuildInfo", "API", "Console", "Phones", "Accounts", "Analytics", "Audience",
            "Campaigns", "Content", "ContentFiles", "ContentFolders",
            "JSON", "ConnectedContent", "Credentials", "Delivery", "Segments", "Ingestion",
            "ObjectStorage", "StoreSQL",
            "APNs", "FCM",
            "WebPush", "Front",
            "PushHTTP", "WebPages", "Gateways", "Devices", "News",
            "Drafts", "Facts", "InAppMessages", "Journeys", "Liquid", "Rehearsals", "Retention",
            "Reasons", "Sends", "Servers", "Users", "Noroshi",
            "NoroshiWire", "Model", "Monitoring", "Ports", .signals, .hummingbird, .hummingbirdCore,
            .configuration, .system, .coreMetrics,
            .crypto, .cryptoExtras, .logging, .tracing, .httpClient, .nioHTTP1,
            .lifecycle, .nioCore, .nioPosix,
        ]
    ),
    app(
        "noroshi-server",
        [
            "Server", "Accounts", "Analytics", "Audience", "Campaigns", "Console", "ContentFiles",
            "ContentFolders",
            "Credentials", "Delivery", "Facts", "Ingestion", "Journeys", "Rehearsals", "Segments",
            "Sends", "Users",
            "StoreSQL", "Transfers", "Model", "JSON", "Liquid", "Gateways", "NoroshiWire",
            .argumentParser, .crypto, .logging, .nioPosix, .signals,
        ]
    ),
    // The databases of servers in tests.
    .target(
        name: "ServerTesting",
        dependencies: ["Server", "StoreSQL", "StoreTesting"],
        path: "Tests/Support/ServerTesting",
        swiftSettings: swiftSettings
    ),
    // A café chain in a real store: for the console's tests and for looking at pages.
    .target(
        name: "SampleWorkspace",
        dependencies: [
            "Server", "Accounts", "Model", "NoroshiWire", "Phones", "Ports", "Segments",
            "ServerTesting", "StoreSQL", "StoreTesting", .logging,
        ],
        path: "Tests/Support/SampleWorkspace",
        swiftSettings: swiftSettings
    ),
    .executableTarget(
        name: "console-preview",
        dependencies: ["Console", "SampleWorkspace", "Server", "Phones", .hummingbird],
        path: "Tests/Web/ConsolePreview",
        swiftSettings: swiftSettings
    ),
    tests(
        "Apps/",
        "Server",
        [
            "Server", "API", "Accounts", "Front", "JSON", "Model", "Monitoring", "NoroshiWire",
            "ObjectStorage", "Phones", "Ports", "PostgresTesting", "Reasons", "SampleWorkspace",
            "StoreSQL", "StoreTesting",
            .hummingbird, .hummingbirdTesting, .httpTypes, .lifecycle, .logging, .nioCore,
            .nioPosix,
        ]
    ),
    tests("Architecture/", "Architecture", []),
    tests(
        "System/",
        "System",
        [
            "Server", "Gateways", "Devices", "APNs", "Accounts", "Audience", "Campaigns",
            "Credentials", "Journeys", "ObjectStorage", "Rehearsals", "Retention", "Model", "Ports",
            "NoroshiWire", "StoreSQL", "noroshi-server", "noroshi-bench", "BucketTesting",
            "ClientTesting", "GuideScreens", "Noroshi", "NoroshiOutbox", "PostgresClient",
            "PostgresTesting", "ServerTesting", "StoreConformance", "StoreTesting", .grdb, .crypto,
            .logging, .nioPosix,
        ]
    ),
]

let serverPackages: [Package.Dependency] = [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
]

// A Mac has everything that ships inside apps, with the tests that need no declarations of Apple's
// by our own hand. The server's rooms use Linux's system libraries.
#if os(Linux)
let targets =
    client + core + stores + transports + services + gateways + devices + web + apps + benchmarks
let packages: [Package.Dependency] = serverPackages
#else
let playTheSystem: Set = [
    "NoroshiTests", "NoroshiExtensionsTests", "NoroshiUITests", "GuideSnippetsTests",
    "DocumentationTests", "ConsumerTests", "GuideScreens",
]
let targets = client.filter { !playTheSystem.contains($0.name) }
let packages: [Package.Dependency] = []
#endif

let package = Package(
    name: "noroshi",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "Noroshi", targets: ["Noroshi"]),
        .library(name: "NoroshiExtensions", targets: ["NoroshiExtensions"]),
        .library(name: "NoroshiContent", targets: ["NoroshiContent"]),
        .library(name: "NoroshiUI", targets: ["NoroshiUI"]),
        .library(name: "NoroshiAdmin", targets: ["NoroshiAdmin"]),
        .library(name: "NoroshiRakuza", targets: ["NoroshiRakuza"]),
    ],
    dependencies: packages,
    targets: targets
)
