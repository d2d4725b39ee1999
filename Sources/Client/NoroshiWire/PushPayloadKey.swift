/// The keys of Noroshi's part of a push payload, besides Apple's `aps`.
///
/// All values at the root are strings, so that the same keys work for APNs, FCM `data` and Web
/// Push. An app's own key-value pairs are also at the root.
public enum PushPayloadKey {
    /// An object (in FCM `data`: the object as JSON text) that marks a push as Noroshi's.
    public static let marker = "noroshi"
    /// Inside the marker: the dispatch id, a UUID, the same in every retry of a push.
    public static let dispatchID = "dispatch_id"
    /// Inside the marker: the target of a tap, a web address or a deep link.
    public static let uri = "uri"
    /// Inside the marker: `true` if a web page opens inside the app.
    public static let useWebView = "use_webview"
    /// Inside the marker: an object that maps action identifiers to the links of the buttons.
    public static let actionURIs = "action_uris"
    /// Inside the marker: an object with `url` and `type` of the attachment to download.
    public static let attachment = "attachment"
    /// Inside the marker: an array with the pages of a push story, each an object with `image` and,
    /// where it has them, `title`, `subtitle` and `uri`.
    public static let story = "story"
    /// The category of a push story, which its content extension names.
    public static let storyCategory = "noroshi_story"
    /// The number of the send, as a string; used to measure opens.
    public static let pushNumber = "push_no"
    /// The number of the news item that is pushed, as a string.
    public static let newsID = "news_id"
    /// The tenant that publishes the news item, as a string.
    public static let newsTenantID = "news_tenant_id"
    /// The URL entered by the sender, for the app's use.
    public static let url = "url"
    /// The custom JSON entered by the sender, as JSON text.
    public static let customVariables = "custom_vars"

    /// The keys that an app's own key-value pairs may not use.
    public static let reserved: Set<String> = [
        "aps", marker, pushNumber, newsID, newsTenantID, url, customVariables,
    ]
}
