import Foundation
import Testing

@testable import Noroshi

@Suite("The bridge of HTML messages")
struct InAppMessageBridgeTests {
    private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @Test("the script that apps carry is the one of Clients/web")
    func scriptIsTheOne() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = try String(
            contentsOf: repository.appendingPathComponent("Clients/web/bridge.js"),
            encoding: .utf8
        )
        let start = try #require(file.range(of: "function install")).lowerBound
        let end = try #require(file.range(of: "\n}\n")).upperBound
        let isSame = MessageBridgeScript.source == "(\(file[start..<end]))();"
        #expect(isSame, "run Scripts/embed-web-files")
    }

    @Test(
        "a page that knows the bridge by either name posts its calls as JSON",
        .enabled(if: node != nil, "Node.js runs the page's script")
    )
    func script() throws {
        let page = """
            const posted = [];
            const listeners = {};
            globalThis.document = { readyState: "loading" };
            globalThis.window = {
              webkit: { messageHandlers: { \(InAppMessageBridge.handlerName): {
                postMessage: (text) => posted.push(text)
              } } },
              addEventListener: (name, listener) => { listeners[name] = listener; },
              dispatchEvent: (event) => posted.push(event.type),
            };
            \(MessageBridgeScript.source)
            listeners.load();
            window.brazeBridge.logCustomEvent("spun", { n: 1, won: true });
            window.appboyBridge.getUser().setCustomUserAttribute("luck", 0);
            window.noroshiBridge.closeMessage();
            console.log(posted.join("\\n"));
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        process.arguments = ["--eval", page]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.first == "ab.BridgeReady")
        let calls = try lines.dropFirst().map {
            try JSONDecoder().decode(InAppMessageBridge.Call.self, from: Data($0.utf8))
        }
        #expect(
            calls.map(\.method) == [
                "logCustomEvent", "user.setCustomUserAttribute", "closeMessage",
            ]
        )
        #expect(calls.first?.object(1) == ["n": .integer(1), "won": .bool(true)])
        #expect(calls.dropFirst().first?.value(1) == .integer(0))
    }
}
