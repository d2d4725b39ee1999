import Foundation
import NoroshiWire
import Reasons
import Yams

/// A file in YAML, read as the values of JSON, with the place of each of them.
///
/// Plain scalars are what JSON calls null, true, false and numbers; everything else is a text, so that
/// `NO` is Norway and `09:00` a time of day. An alias is what its anchor is.
struct YAMLReader {
    /// A place in a file, from 1.
    struct Place: Hashable {
        var line = 1
        var column = 1
    }

    /// Values of one file at most.
    private static let valueLimit = 200_000

    let value: JSONValue
    /// Places of members and elements by their paths, such as `steps.2.name`.
    let places: [String: Place]

    /// - Throws: `FolderProblem` for what is not YAML, or is more than JSON can say.
    init(_ text: String, path: String) throws(FolderProblem) {
        let root: Node?
        do {
            root = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw Self.problem(error, path)
        } catch {
            throw FolderProblem(path, .notYAML, ["reason": .text("\(error)")])
        }
        var reading = Reading(path: path)
        value =
            try root.map { node throws(FolderProblem) in try reading.value(node, at: "") }
            ?? .object([:])
        places = reading.places
    }

    /// The place of a value, or of the nearest one around it.
    func place(of path: String) -> Place {
        var path = Substring(path)
        while !path.isEmpty {
            if let place = places[String(path)] { return place }
            path = path.lastIndex(of: ".").map { path[..<$0] } ?? ""
        }
        return Place()
    }

    private static func problem(_ error: YamlError, _ path: String) -> FolderProblem {
        func found(_ text: String, _ mark: Mark) -> FolderProblem {
            FolderProblem(
                path,
                Place(line: mark.line, column: mark.column),
                .notYAML,
                ["reason": .text(text)]
            )
        }
        switch error {
        case .scanner(_, let text, let mark, _), .parser(_, let text, let mark, _),
            .composer(_, let text, let mark, _):
            return found(text, mark)
        case .duplicatedKeysInMapping(let keys, let context):
            return FolderProblem(
                path,
                Place(line: context.mark.line, column: context.mark.column),
                .saidTwice,
                ["names": .text(keys.sorted().joined(separator: ", "))]
            )
        case .reader(let text, _, _, _):
            return FolderProblem(path, .notYAML, ["reason": .text(text)])
        default: return FolderProblem(path, .notYAML, ["reason": .text("\(error)")])
        }
    }

    private struct Reading {
        let path: String
        var places: [String: Place] = [:]
        var count = 0

        mutating func value(_ node: Node, at field: String) throws(FolderProblem) -> JSONValue {
            count += 1
            guard count <= YAMLReader.valueLimit else {
                throw FolderProblem(path, .tooManyValues, ["count": "\(YAMLReader.valueLimit)"])
            }
            switch node {
            case .alias(let alias):
                throw FolderProblem(
                    path,
                    place(node),
                    .noAnchor,
                    ["name": .text(alias.anchor.rawValue)]
                )
            case .scalar(let scalar): return YAMLScalar.value(of: scalar)
            case .sequence(let sequence):
                var elements: [JSONValue] = []
                for (index, element) in sequence.enumerated() {
                    let inner = joined(field, String(index))
                    places[inner] = place(element)
                    elements.append(try value(element, at: inner))
                }
                return .array(elements)
            case .mapping(let mapping):
                var members: [String: JSONValue] = [:]
                for (key, member) in mapping {
                    guard let name = key.scalar?.string else {
                        throw FolderProblem(path, place(key), .keyIsNoText)
                    }
                    let inner = joined(field, name)
                    places[inner] = place(key)
                    members[name] = try value(member, at: inner)
                }
                return .object(members)
            }
        }

        private func place(_ node: Node) -> Place {
            node.mark.map { Place(line: $0.line, column: $0.column) } ?? Place()
        }

        private func joined(_ field: String, _ name: String) -> String {
            field.isEmpty ? name : field + "." + name
        }
    }
}
