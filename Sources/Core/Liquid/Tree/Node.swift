/// A piece of a template.
enum Node: Sendable {
    /// Bytes of the source, from and to.
    case text(Int, Int)
    case output(Output)
    case tag(any TagNode)
}

/// A tag, parsed.
protocol TagNode: AnyObject, Sendable {
    /// The offset of the tag in the source, for errors.
    var offset: Int { get }
    /// Whether a block that contains only such tags and white space prints nothing.
    var isBlank: Bool { get }
    func render(_ renderer: inout Renderer) throws(LiquidError)
}

/// The content of a block tag or of a document.
struct Block: Sendable {
    var nodes: [Node] = []
    var isBlank = true

    /// Removes the white space of a block that prints nothing else.
    mutating func removeText() {
        nodes.removeAll { node in
            if case .text = node { return true }
            return false
        }
    }
}
