import WebPages

/// The browser and the system that a user agent names, as far as people tell them apart.
struct BrowserName: Equatable {
    var browser: String?
    var system: String?

    /// In order: a browser also names those that it resembles.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("Vivaldi", "Vivaldi"),
        ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"), ("Firefox", "Firefox"),
        ("CriOS", "Chrome"), ("Chromium", "Chromium"), ("Chrome/", "Chrome"),
        ("Version/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Windows", "Windows"), ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    init(userAgent: String) {
        browser = Self.browsers.first { userAgent.contains($0.0) }?.1
        system = Self.systems.first { userAgent.contains($0.0) }?.1
    }

    func text(_ words: Words) -> String {
        switch (browser, system) {
        case (let browser?, let system?):
            words("sessions.browser_on", ["browser": browser, "system": system])
        case (let name?, nil), (nil, let name?): name
        case (nil, nil): words("sessions.unknown_browser")
        }
    }
}
