// swift 6: main actor-isolated
import NoroshiUI
import SwiftUI

@available(iOSApplicationExtension, unavailable)
func screen(_ view: some View, _ noroshi: Noroshi) -> some View {
    view.noroshiInAppMessages(noroshi)
}
