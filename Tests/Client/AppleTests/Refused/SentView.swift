// swift 6: sending
import SwiftUI

func show(_ view: some View) {
    Task { @MainActor in ShimScreen().show(view) }
}
