/// The keys of Noroshi's part of a push payload, beside Apple's `aps`.
///
/// All values at the root are strings, so that the same keys serve APNs, FCM `data` and Web Push.
/// An app's own key-value pairs stand beside them at the root.
public enum PushPayloadKey {
    /// An object (in FCM `data`: the object as JSON text) that marks a push as ours.
    public static let marker = "noroshi"
    /// Inside the marker: the dispatch id, a UUID, the same in every repetition of a push.
    public static let dispatchID = "dispatch_id"
    /// Inside the marker: where a tap leads, a web address or a deep link.
    public static let uri = "uri"
    /// Inside the marker: `true` when a web address opens inside the app.
    public static let useWebView = "use_webview"
    /// Inside the marker: an object from action identifier to the address that the button opens.
    public static let actionURIs = "action_uris"
    /// Inside the marker: an object with `url` and `type` of the attachment to download.
    public static let attachment = "attachment"
    /// The number of the send, as a string; the key of open measurement.
    public static let pushNumber = "push_no"
    /// The number of the news item that is pushed, as a string.
    public static let newsID = "news_id"
    /// The tenant that publishes the news item, as a string.
    public static let newsTenantID = "news_tenant_id"
    /// The address the sender typed, for the app to act on.
    public static let url = "url"
    /// The custom JSON the sender typed, as JSON text.
    public static let customVariables = "custom_vars"

    /// The keys an app's own key-value pairs may not use.
    public static let reserved: Set<String> = [
        "aps", marker, pushNumber, newsID, newsTenantID, url, customVariables,
    ]
}
