import Foundation
@_spi(Testing) import NoroshiOutbox

/// One of several processes that share an outbox: it records events and says of each on standard
/// output that it is recorded, until somebody kills it.
///
/// Arguments: folder, server, writer's name, first number, count, records between two requests.
@main
struct OutboxWriter {
    static func main() async {
        let arguments = CommandLine.arguments
        guard
            arguments.count == 7, let first = Int(arguments[4]), let count = Int(arguments[5]),
            let flushEvery = Int(arguments[6])
        else {
            FileHandle.standardError.write(Data("six arguments are needed\n".utf8))
            exit(2)
        }
        var configuration = NoroshiConfiguration(apiKey: "key", endpoint: arguments[2])
        configuration.storage.directory = URL(fileURLWithPath: arguments[1])
        configuration.api.requestPolicy = .manual
        let recorder = Recorder(
            configuration: configuration,
            dependencies: NoroshiDependencies()
        )
        for number in first..<first + count {
            let result = recorder.logEvent(
                name: arguments[3],
                members: ["number": .integer(Int64(number))]
            )
            guard case .success = result else { exit(3) }
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
            if number % flushEvery == flushEvery - 1 { await recorder.uploader.flush() }
        }
    }
}
