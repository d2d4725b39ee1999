/// For how many days a session makes its user an active one.
package enum ActiveUserWindow {
    package static let day = 1
    package static let month = 30
    /// Those whose counts are kept when sessions are removed.
    package static let all = [day, month]
}
