import Foundation
import NoroshiUI
import SwiftUI

/// An app's first view, with messages and links.
@available(iOSApplicationExtension, unavailable)
struct FirstView<Screen: View, Picker: View>: View {
    let noroshi: Noroshi?
    let screen: Screen
    let picker: @MainActor (NoroshiInAppMessageContext) -> Picker
    let go: @MainActor (URL) -> Void

    var body: some View {
        screen
            .noroshiInAppMessages(noroshi) { message in
                message.message.extras?["view_type"] == "picker" ? picker(message) : nil
            }
            .onNoroshiLink(noroshi) { link in go(link.url) }
    }
}

/// The SDK draws every message.
@available(iOSApplicationExtension, unavailable)
@MainActor
func messages(_ screen: some View, _ noroshi: Noroshi) -> some View {
    screen.noroshiInAppMessages(noroshi)
}
