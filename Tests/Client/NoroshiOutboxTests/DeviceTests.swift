import ClientTesting
import Foundation
import NoroshiWire
import Testing

@_spi(Testing) @testable import NoroshiOutbox

@Suite("What the SDK tells of the device and of itself")
struct DeviceTests {
    @Test(
        "the model is the system's word for it, without the zero at its end; a simulator says its own"
    )
    func model() {
        let machine = "iPhone17,1"
        var asked: [String] = []
        let read = { (name: String) -> [UInt8]? in
            asked.append(name)
            return Array(machine.utf8) + [0, 65]
        }
        #expect(hardwareModel(environment: [:], read: read) == machine)
        #expect(asked.allSatisfy { $0.hasPrefix("hw.") } && asked.count == 1)
        #expect(hardwareModel(environment: [:], read: { _ in nil }) == nil)
        #expect(hardwareModel(environment: [:], read: { _ in [0] }) == nil)
        let simulator = ["SIMULATOR_MODEL_IDENTIFIER": "iPad14,3"]
        #expect(hardwareModel(environment: simulator, read: read) == "iPad14,3")
    }

    @Test("the server gets model, system, language and zone with the records")
    func batch() async throws {
        let folder = try TemporaryFolder()
        let ingest = Ingest()
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        let recorder = Recorder(
            configuration: configuration,
            dependencies: NoroshiDependencies(
                transport: ingest,
                device: NoroshiDevice(
                    platform: "ios",
                    model: "iPhone17,1",
                    osVersion: "18.2",
                    appVersion: "3.1",
                    locale: "ja_JP",
                    timeZone: "Asia/Tokyo"
                )
            )
        )
        _ = recorder.logEvent(name: "seen", properties: nil)
        await recorder.uploader.flush()
        let device = try #require(ingest.read(\.batches).first?.device)
        #expect(device.model == "iPhone17,1")
        #expect(device.osVersion == "18.2")
        #expect(device.appVersion == "3.1")
        #expect(device.locale == "ja_JP")
        #expect(device.timeZone == "Asia/Tokyo")
    }

    @Test("an error says its field and remedy wherever errors are shown")
    func error() {
        let error: any Error = NoroshiError(
            code: .invalidInput,
            field: "email",
            message: "an address has an @"
        )
        #expect(error.localizedDescription == "email: an address has an @")
    }

    @Test("the log has what is severe enough, and what is not is not even put into words")
    func log() {
        let lines = Locked<[String]>([])
        let said = Locked(0)
        func word(_ text: String) -> String {
            said.withLock { $0 += 1 }
            return text
        }
        var logger = NoroshiLogger(level: .info) { text, level in
            lines.withLock { $0.append("\(level) \(text)") }
        }
        logger.log(.debug, word("a"))
        logger.log(.info, word("b"))
        logger.log(.error, word("c"))
        logger.level = .disabled
        logger.log(.error, word("d"))
        logger.log(.disabled, word("e"))
        #expect(lines.withLock { $0 } == ["info b", "error c"])
        #expect(said.withLock { $0 } == 2)
    }
}
