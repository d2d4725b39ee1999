import Foundation
import JSON
import Model
import Ports
import Reasons

/// Reads the `push_tokens` of an element of `attributes`, for users imported from another system.
struct PushTokenReader {
    private static let tokenLimit = 50
    private static let tokenBytes = 4096

    /// Whether the element imports push tokens without naming a user.
    let isImport: Bool
    let tokens: [ImportedPushToken]
    /// The tokens that cannot be stored; the others are.
    let problems: [FieldProblem]

    init(_ element: JSONNode, isImport: Bool) throws(FieldProblem) {
        self.isImport = isImport
        if isImport {
            for field in ["external_id", "braze_id"] where element.present(field) != nil {
                throw FieldProblem(field, .notInTokenImport)
            }
        }
        guard let list = element.present("push_tokens") else {
            guard !isImport else {
                throw FieldProblem("push_tokens", .tokensRequired)
            }
            tokens = []
            problems = []
            return
        }
        guard list.kind == .array else { throw FieldProblem("push_tokens", .mustBeArray) }
        let nodes = Array(list.elements)
        guard (isImport ? 1 : 0)...Self.tokenLimit ~= nodes.count else {
            throw FieldProblem("push_tokens", .elementCount, ["count": "\(Self.tokenLimit)"])
        }
        var found: [ImportedPushToken] = []
        var refused: [FieldProblem] = []
        for (index, node) in nodes.enumerated() {
            do throws(FieldProblem) {
                var token = try Self.token(node, "push_tokens.\(index)")
                token.index = index
                found.append(token)
            } catch {
                refused.append(error)
            }
        }
        // Without a user, the tokens are the only data of the element.
        if isImport, found.isEmpty, let first = refused.first {
            throw first
        }
        tokens = found
        problems = refused
    }

    /// The anonymous user of imported tokens, derived from the tokens.
    var user: UserReference? {
        isImport ? tokens.first.map { .anonymous($0.installation) } : nil
    }

    private static func token(
        _ node: JSONNode,
        _ field: String
    ) throws(FieldProblem) -> ImportedPushToken {
        guard node.kind == .object else { throw FieldProblem(field, .mustBeObject) }
        guard let app = node["app_id"]?.string, !app.isEmpty else {
            throw FieldProblem("\(field).app_id", .appRequired)
        }
        guard let token = node["token"]?.string, (1...tokenBytes).contains(token.utf8.count) else {
            throw FieldProblem("\(field).token", .tokenRequired, ["count": "\(tokenBytes)"])
        }
        guard let device = node.present("device_id") else {
            let key = RecordKey(workspace: WorkspaceID(0), request: "token \(app) \(token)")
            return ImportedPushToken(
                app: app,
                token: token,
                installation: key.id(list: 0, index: 0)
            )
        }
        guard let id = device.string.flatMap(UUID.init(uuidString:)) else {
            throw FieldProblem("\(field).device_id", .deviceID)
        }
        return ImportedPushToken(app: app, token: token, installation: id)
    }
}
