import Foundation

/// Shows the progress of a transfer on a terminal; prints nothing elsewhere.
struct ProgressBar {
    private static let width = 30

    private let isShown = isatty(2) == 1
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now
    private let rowsBefore: Int

    /// - Parameter rowsBefore: Number of rows of an earlier run, which do not count for the rate.
    init(rowsBefore: Int) {
        self.rowsBefore = rowsBefore
    }

    func rate(_ rows: Int) -> Int {
        let time = (ContinuousClock.now - start) / .seconds(1)
        return Int(Double(rows - rowsBefore) / max(time, 0.001))
    }

    /// - Parameter part: From 0 to 1; `nil` if the total is unknown.
    mutating func show(rows: Int, part: Double?) {
        guard isShown, ContinuousClock.now - last > .milliseconds(100) else { return }
        last = .now
        var text = "\r"
        if let part {
            let filled = Int((part * Double(Self.width)).rounded())
            text += "[" + String(repeating: "#", count: filled)
            text += String(repeating: " ", count: Self.width - filled) + "] \(Int(part * 100)) % "
        }
        text += "\(rows) rows, \(rate(rows)) rows/s\u{1B}[K"
        FileHandle.standardError.write(Data(text.utf8))
    }

    func finish() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
