import Foundation

/// <https://developer.apple.com/documentation/uikit/uiimage>
open class UIImage: NSObject, @unchecked Sendable {
    // `@unchecked` holds because a picture has no members that change.

    /// Pictures are not decoded on Linux; one is told by the first bytes of its format.
    /// <https://developer.apple.com/documentation/uikit/uiimage/init(data:)>
    public init?(data: Data) {
        let formats: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8),
        ]
        guard formats.contains(where: { data.starts(with: $0) }) else { return nil }
    }
}

/// <https://developer.apple.com/documentation/uikit/uiimageview>
@MainActor
open class UIImageView: UIView {
    open var image: UIImage?

    public init(image: UIImage?) {
        self.image = image
        super.init(frame: .zero)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
