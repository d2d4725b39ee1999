/// Something that a form offers, as an option or a card.
struct FormChoice {
    let value: String
    let label: String
    var help = ""
    let isChosen: Bool
}
