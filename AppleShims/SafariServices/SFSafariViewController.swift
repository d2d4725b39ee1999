import Foundation
import UIKit

/// <https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller>
@MainActor
open class SFSafariViewController: UIViewController {
    /// Shim only: the page.
    public let shimURL: URL

    /// An address of another scheme ends the app at Apple's.
    /// <https://developer.apple.com/documentation/safariservices/sfsafariviewcontroller/init(url:)>
    public init(url: URL) {
        precondition(["http", "https"].contains(url.scheme?.lowercased() ?? ""))
        shimURL = url
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        nil
    }
}
