import ArgumentParser
import Delivery
import Foundation
import Model
import Server

/// Follows a send until it is finished.
struct WatchSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follows a send: done and total, rate, time left, outcomes by reason."
    )

    @OptionGroup var options: SendsCommand.SendOptions
    @Flag(help: "Prints where it stands and ends.") var once = false

    private static let barWidth = 32

    func run() async throws {
        let (store, send) = try await options.open()
        let isTerminal = isatty(STDOUT_FILENO) == 1 && !once
        var meter = ProgressMeter()
        var lastLine = ""
        while let progress = try await DeliveryProgress.read(send.id, from: store) {
            meter.note(progress, at: ServerDependencies.live.now())
            let line = Self.line(progress, meter)
            if isTerminal {
                print("\r\u{1B}[2K\(Self.bar(progress)) \(line)", terminator: "")
            } else if line != lastLine {
                print(line)
            }
            fflush(nil)
            lastLine = line
            if once || progress.isOver {
                if isTerminal { print() }
                Self.printReasons(progress)
                return
            }
            // A terminal is updated continuously; a log gets a line every two seconds.
            try await Task.sleep(for: isTerminal ? .milliseconds(250) : .seconds(2))
        }
    }

    private static func bar(_ progress: DeliveryProgress) -> String {
        let filled = Int(progress.share * Double(barWidth))
        return "[" + String(repeating: "█", count: filled)
            + String(repeating: "░", count: barWidth - filled) + "]"
    }

    private static func line(_ progress: DeliveryProgress, _ meter: ProgressMeter) -> String {
        let percent = (progress.share * 1_000).rounded(.down) / 10
        var parts = [
            "\(progress.state.rawValue) \(progress.done)/\(progress.total)"
                + (progress.isTotalFinal ? "" : "+") + " (\(percent) %)"
        ]
        if !progress.isOver, let rate = meter.perSecond { parts.append("\(Int(rate))/s") }
        if !progress.isOver, let left = meter.timeLeft(of: progress) {
            parts.append("\(duration(left)) left")
        }
        let states: [DispatchState] = [.accepted, .rejected, .unknown, .skipped]
        parts.append(
            states.filter { progress.counts[$0] > 0 }
                .map { "\($0) \(progress.counts[$0])" }.joined(separator: ", ")
        )
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private static func duration(_ seconds: TimeInterval) -> String {
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }

    private static func printReasons(_ progress: DeliveryProgress) {
        for reason in progress.reasons.prefix(20) {
            print("\("\(reason.count)".leftPadded(10))  \(reason.state): \(reason.reason)")
        }
        for lane in progress.trippedLanes { print(lane.sentence) }
    }
}
