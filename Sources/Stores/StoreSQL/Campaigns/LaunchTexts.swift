import Model
import Synchronization

/// The texts of launches. Those of a campaign on an event differ in their users and their names alone, which
/// are put into the text of the last one: writing all of it again costs more than the rest of such a launch.
final class LaunchTexts: Sendable {
    /// A text with two gaps, and what it is of.
    private struct Form: Sendable {
        let content: SendContent
        let start: String
        let middle: String
        let end: String
        let launch: SendText.Launch?
    }

    /// What stands in the gaps. A text that has one of them elsewhere is no form.
    private static let user = ProfileID(-8_317_450_926_184_773_501)
    private static let name = "noroshi name of a launch"
    /// Number of campaigns.
    private static let limit = 16

    private let write: @Sendable (SendContent) throws -> SendText
    private let forms = Mutex<[Form]>([])

    init(write: @escaping @Sendable (SendContent) throws -> SendText) { self.write = write }

    func text(_ content: SendContent) throws -> SendText {
        guard let launch = content.launch, case .profiles(let users) = content.audience,
            !users.isEmpty, launch.occurrence.utf8.allSatisfy(Self.isPlain)
        else { return try write(content) }
        var common = content
        common.audience = .profiles([Self.user])
        common.launch?.occurrence = Self.name
        guard let form = try form(of: common) else { return try write(content) }
        let list = StoredJSON.text(of: users.lazy.map(\.rawValue)).dropFirst().dropLast()
        var text = form.start
        text += list
        text += form.middle
        text += launch.occurrence
        text += form.end
        return SendText(own: text, launch: form.launch)
    }

    /// - Returns: `nil` if it cannot be told where the gaps are.
    private func form(of common: SendContent) throws -> Form? {
        let known = forms.withLock { forms in
            forms.first { $0.content.launch?.campaign == common.launch?.campaign }
        }
        if let known, known.content == common { return known }
        let written = try write(common)
        let text = written.own
        let user = text.ranges(of: String(Self.user.rawValue))
        let name = text.ranges(of: Self.name)
        guard user.count == 1, name.count == 1,
            user[0].upperBound <= name[0].lowerBound
        else { return nil }
        let form = Form(
            content: common,
            start: String(text[..<user[0].lowerBound]),
            middle: String(text[user[0].upperBound..<name[0].lowerBound]),
            end: String(text[name[0].upperBound...]),
            launch: written.launch
        )
        forms.withLock { forms in
            forms.removeAll { $0.content.launch?.campaign == common.launch?.campaign }
            if forms.count >= Self.limit { forms.removeFirst() }
            forms.append(form)
        }
        return form
    }

    /// Whether JSON writes it as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
