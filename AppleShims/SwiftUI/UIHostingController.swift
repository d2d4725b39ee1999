import Foundation
import UIKit

/// <https://developer.apple.com/documentation/swiftui/uihostingcontroller>
@MainActor
@preconcurrency
open class UIHostingController<Content: View>: UIViewController {
    /// <https://developer.apple.com/documentation/swiftui/uihostingcontroller/rootview>
    @MainActor @preconcurrency public var rootView: Content

    /// <https://developer.apple.com/documentation/swiftui/uihostingcontroller/init(rootview:)>
    @MainActor
    @preconcurrency
    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        nil
    }
}
