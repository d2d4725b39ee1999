// extension
// finding: an extension may not use noroshiInAppMessages
import NoroshiUI
import SwiftUI

@MainActor
func screen(_ view: some View, _ noroshi: Noroshi) -> some View {
    view.noroshiInAppMessages(noroshi)
}
