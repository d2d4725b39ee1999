#if canImport(SwiftUI)
import Noroshi
import SwiftUI

extension View {
    /// Hands the links of tapped pushes and in-app messages to `action`, on the main actor, while
    /// this view is on the screen; a link that opened the app arrives once it is.
    ///
    /// ```swift
    /// WindowGroup {
    ///     ShopView(path: $path)
    ///         .noroshiInAppMessages(noroshi)
    ///         .onNoroshiLink(noroshi) { link in path.append(Screen(link.url)) }
    /// }
    /// ```
    /// It belongs to the view that stays, such as the one around a `NavigationStack`: while it is
    /// away links wait for its return. Without an SDK, such as before a consent, nothing happens.
    /// What `action` captured when the view appeared it keeps; state and bindings are read anew.
    public func onNoroshiLink(
        _ noroshi: Noroshi?,
        perform action: @escaping @MainActor @Sendable (NoroshiURLContext) -> Void
    ) -> some View {
        task(id: noroshi.map(ObjectIdentifier.init)) { @Sendable in
            await noroshi?.notifications.handleLinks(with: action)
        }
    }
}
#endif
